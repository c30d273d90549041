import { MailCredentials } from "@postern/core/oauth";
import type { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { eventsOf } from "../../../../events-of.ts";
import type { Visit } from "../../../../Visit.ts";
import { HoldPoint } from "../../../crossings/HoldPoint.ts";
import { serveBeside } from "../../../crossings/serve-beside.ts";
import { MINUTE, SECOND } from "../../durations.ts";
import { EXCHANGED, TOLD } from "./refused-tokens.ts";
import type { WalkedConsent } from "./walked-consent.ts";

/** More than the number of calls about an account before the request for its mail has a new token. */
const CALLS = 16;

/** A mailbox that a token opens, and the tag of a request for its newest message. */
export interface OpenedMailbox {
  readonly id: AccountId;
  readonly list: Effect.Effect<string, unknown>;
}

/** Returns a function that has two connections of one or two mailboxes refused with the same token. [S11.4-12] */
export const crossedRefusals = (visit: Visit, cluster: Cluster) => {
  const { random } = cluster;
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  const answers = ({ id, list }: OpenedMailbox, when: string) =>
    Effect.map(list, (tag) => visit.same(tag, "Answered", `a request for the mail of ${id} ${when}`));
  return (one: OpenedMailbox, other: OpenedMailbox, refuse: () => void): Effect.Effect<void, unknown> =>
    Effect.gen(function* () {
      // Of an earlier refusal, two minutes may not be over.
      yield* visit.skip(3 * MINUTE);
      yield* visit.wait(EXCHANGED);
      for (const mailbox of [one, other]) yield* answers(mailbox, "with a fresh token");
      yield* visit.wait(EXCHANGED);
      const credentials = <A, E>(use: (all: MailCredentials["Service"]) => Effect.Effect<A, E>) =>
        visit.ask("credentials", (services) => use(Context.get(services, MailCredentials)));
      const old = yield* credentials((all) => all.of(one.id));
      refuse();
      const tags: Array<string> = [];
      const tell = ({ list }: OpenedMailbox) => Effect.map(list, (tag) => void tags.push(tag));
      const point = { about: [one.id], call: random.between(1, CALLS) };
      yield* serveBeside(visit, hold, point, tell(one), tell(other));
      // A request whose node stood still in a transaction may find the store unavailable.
      visit.expect(
        !tags.includes("MailboxCredentialsRejected"),
        `${one.id} and ${other.id} have one old token: ${tags}`,
      );
      yield* visit.wait(random.between(SECOND, 20 * SECOND));
      const isRenewed = yield* credentials((all) => all.renew(one.id, old));
      visit.expect(isRenewed, `a connection of ${one.id} that is refused late with an old token gets no new one`);
      for (const mailbox of [one, other]) yield* answers(mailbox, "after two refusals of an old token");
    });
};

/**
 * Two connections are refused with the same token at once, and another one late: the token is replaced once. If the other
 * token is refused, too, the account needs a new consent. [S11.4-12]
 */
export const refuseAtOnce = (visit: Visit, cluster: Cluster, account: WalkedConsent) => {
  const cross = crossedRefusals(visit, cluster);
  const { email, refuseLatest } = account;
  return Effect.gen(function* () {
    yield* cross(account, account, refuseLatest);
    visit.same((yield* account.state)[0], "active", `the state of ${email}, whose token was refused twice at once`);
    if (cluster.random.chance(0.6)) return;
    yield* visit.wait(EXCHANGED);
    refuseLatest();
    const tag = yield* account.list;
    visit.same(
      tag,
      "MailboxCredentialsRejected",
      `a request for the mail of ${email}, whose other token is refused, too`,
    );
    yield* visit.wait(TOLD);
    account.refuse("token_refused");
  });
};

/**
 * The user consents again while the other one of two refused tokens is recorded: the new consent stays, whichever of both comes
 * first. [S11.4-12] [S11.4-15]
 */
export const consentBesideRefusal = (visit: Visit, cluster: Cluster, account: WalkedConsent) => {
  const { random } = cluster;
  const hold = new HoldPoint(cluster);
  cluster.listeners.push((call) => hold.see(call));
  const { id, email, known, promised, refuseLatest } = account;
  const lists = (when: string) =>
    Effect.map(account.list, (tag) => visit.same(tag, "Answered", `a request for the mail of ${email} ${when}`));
  const told = () => eventsOf(cluster, id).flatMap(({ type }) => (type.startsWith("account.") ? [type] : []));
  return Effect.gen(function* () {
    yield* visit.skip(3 * MINUTE);
    yield* visit.wait(EXCHANGED);
    yield* lists("with a fresh token");
    yield* visit.wait(EXCHANGED);
    refuseLatest();
    yield* lists("whose token is replaced");
    yield* visit.wait(EXCHANGED);
    const before = told().length;
    refuseLatest();
    const app = known.app === account.named.id ? account.named : account.app;
    const consent = Effect.flatMap(account.consent(email, null, app), (tag) =>
      tag === "Answered" ? Effect.void : Effect.fail(tag),
    );
    yield* serveBeside(visit, hold, { about: [id], call: random.between(1, CALLS) }, account.list, consent);
    known.consents++;
    yield* visit.wait(TOLD);
    const events = told().slice(before);
    // If the refusal was recorded before the consent, it is told, unless the consent came before its event.
    if (events.includes("account.auth_failed")) promised.push("account.auth_failed token_refused");
    if (events.length > 0) promised.push("account.recovered");
    visit.same((yield* account.state)[0], "active", `the state of ${email} after a consent beside a refusal`);
    yield* lists("after a consent beside a refusal");
  });
};
