import { Accounts } from "@postern/core/accounts";
import { AccountCreation, AccountRemoval } from "@postern/core/lifecycle";
import { Inbox } from "@postern/core/messages";
import { MailCredentials } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Visit } from "../../../../Visit.ts";
import { MINUTE } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { crossedRefusals } from "./crossed-refusals.ts";
import { EXCHANGED, TOKEN_ENDS, TOLD } from "./refused-tokens.ts";
import type { WalkedConsent } from "./walked-consent.ts";

/** A mailbox that the tokens of its owner open. */
interface SharedMailbox {
  readonly id: AccountId;
  refused: string | null;
  /** The consents of the owner when the mail server refused the owner's tokens here alone; null if it did not. */
  refusedAfter: number | null;
  readonly told: Array<string>;
}

/** Shared mailboxes, which end and recover with the consent of their owner. [S11.2-1] [S11.2-8] [S11.2-12] [S11.4-12] [S11.4-16] */
export const sharedActs = (visit: Visit, cluster: Cluster, owner: WalkedConsent): ReadonlyArray<Act> => {
  const { random } = cluster;
  const all: Array<SharedMailbox> = [];
  let count = 0;
  const { opens } = cluster.mail;
  /** The tokens that the mail server refuses for shared mailboxes alone. */
  const unshared = new Set<string>();
  cluster.mail.opens = (account, token) =>
    opens(account, token) || (account.startsWith("shared-") && !unshared.has(token) && opens(owner.id, token));
  const isOpen = () => owner.known.exists && owner.known.kind === "oauth2" && owner.known.refused === null;
  const create = (email: string, delegateOf: string, app: string | undefined) =>
    visit.tagOf(`share ${email}`, (services) =>
      Context.get(services, AccountCreation).create(
        {
          email,
          name: null,
          secret: { _tag: "Named", grant: { app, refreshToken: undefined, delegateOf } },
          tags: [],
          imap: null,
          smtp: null,
        },
        null,
      ),
    );
  /** Follows the consent of the owner. It may have recovered and been refused again since a mailbox was compared. */
  const follow = () => {
    for (const one of all) {
      if (one.refused === null || !isOpen() || one.refusedAfter === owner.known.consents) continue;
      one.told.push("account.recovered");
      Object.assign(one, { refused: null, refusedAfter: null });
    }
  };
  /** Compares the events and the record of a mailbox. */
  const compare = (one: SharedMailbox) =>
    Effect.gen(function* () {
      const told = eventsOf(cluster, one.id).flatMap((event) => {
        const reason = dataOf(event, "reason") as { readonly code: string } | undefined;
        return event.type.startsWith("account.") ? [`${event.type} ${reason?.code ?? ""}`.trim()] : [];
      });
      visit.same(told, one.told, `the events about ${one.id}`);
      const found = yield* visit.ask("find", (services) => Context.get(services, Accounts).find(one.id, null));
      visit.same(
        [found.authKind, found.provider, found.managed, found.refusedAt === null ? null : found.refusedCause],
        ["oauth2", owner.app.id, true, one.refused],
        `the record of ${one.id}`,
      );
    });
  const use = (one: SharedMailbox) =>
    Effect.gen(function* () {
      yield* compare(one);
      const tag = yield* visit.tagOf("a token", (services) => Context.get(services, MailCredentials).of(one.id));
      const isServed = isOpen() && one.refused === null;
      visit.same(tag, isServed ? "Answered" : "MailboxCredentialsRejected", `a token of ${one.id}`);
      yield* visit.wait(TOLD);
      if (isOpen() || one.refused !== null) return;
      one.refused = owner.known.refused ?? "grant_revoked";
      one.told.push(`account.auth_failed ${one.refused}`);
      yield* compare(one);
    });
  const list = ({ id }: SharedMailbox) =>
    visit.tagOf(`list ${id}`, (services) => Context.get(services, Inbox).list(id, { limit: 1 }));
  const lists = (one: SharedMailbox, promise: string, when: string) =>
    Effect.map(list(one), (tag) => visit.same(tag, promise, `the mail of ${one.id} ${when}`));
  /** The mail server refuses fresh tokens of the owner for one mailbox: this mailbox alone needs a new consent. [S11.4-12] */
  const refuseFresh = (one: SharedMailbox) =>
    Effect.gen(function* () {
      yield* visit.skip(3 * MINUTE);
      yield* lists(one, "Answered", "with a token of its owner");
      yield* visit.wait(EXCHANGED);
      unshared.add(owner.latest());
      yield* lists(one, "Answered", "whose token is replaced");
      if (random.chance(0.3)) return yield* compare(one);
      yield* visit.wait(EXCHANGED);
      unshared.add(owner.latest());
      yield* lists(one, "MailboxCredentialsRejected", "whose other token is refused, too");
      yield* visit.wait(TOLD);
      Object.assign(one, { refused: "token_refused", refusedAfter: owner.known.consents });
      one.told.push("account.auth_failed token_refused");
      yield* compare(one);
      const tag = yield* owner.token;
      visit.same(tag, "Answered", "a token of the owner of a mailbox whose tokens are refused");
    });
  const cross = crossedRefusals(visit, cluster);
  /** A mailbox and its owner are refused with the same token at once: both get another one. [S11.4-12] */
  const refuseAtOnce = (one: SharedMailbox) =>
    Effect.gen(function* () {
      const both = [{ id: one.id, list: list(one) }, owner] as const;
      const [first, second] = random.chance(0.5) ? both : ([both[1], both[0]] as const);
      yield* cross(first, second, () => {
        unshared.add(owner.latest());
        owner.refuseLatest();
      });
      yield* compare(one);
      visit.same((yield* owner.state)[0], "active", "the state of an owner whose token was refused for two mailboxes");
    });
  const share = Effect.gen(function* () {
    const email = `shared-${++count}@sim.test`;
    cluster.mail.addAccount(email, "no program knows it");
    const [of, app, isRight] = random.pick<readonly [string, string | undefined, boolean]>([
      [owner.email, undefined, true],
      [owner.email, owner.app.id, true],
      [owner.email, "another app", false],
      ["missing@sim.test", undefined, false],
      ...all.slice(-1).map(({ id }) => [String(id), undefined, false] as const),
    ]);
    // A token that the mail server refused for another mailbox is replaced before it ends.
    if (unshared.has(owner.latest())) yield* visit.wait(TOKEN_ENDS);
    const tag = yield* create(email, of, app);
    const promise = isRight && isOpen();
    visit.expect((tag === "Answered") === promise, `a mailbox that ${of} shares by ${app} is answered with ${tag}`);
    if (tag !== "Answered") return;
    all.push({ id: AccountId(email), refused: null, refusedAfter: null, told: ["account.added"] });
    visit.same(yield* create(email, of, app), "AccountExists", "sharing a mailbox again");
  });
  const remove = Effect.gen(function* () {
    const one = random.pick(all)!;
    yield* visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(one.id));
    all.splice(all.indexOf(one), 1);
  });
  const served = () => all.filter(({ refused }) => refused === null);
  // Before each act, also those of the owner.
  const hasOne = () => (follow(), all.length > 0);
  return [
    { name: "share", weight: 3, isPossible: () => owner.known.exists && all.length < 3, run: share },
    { name: "use a shared mailbox", weight: 5, isPossible: hasOne, run: Effect.suspend(() => use(random.pick(all)!)) },
    {
      name: "look at shared mailboxes",
      weight: 2,
      isPossible: hasOne,
      run: Effect.suspend(() => Effect.forEach(all, compare)),
    },
    {
      name: "fresh tokens of a shared mailbox are refused",
      weight: 4,
      isPossible: () => hasOne() && isOpen() && served().length > 0,
      run: Effect.suspend(() => refuseFresh(random.pick(served())!)),
    },
    {
      name: "one token is refused for two mailboxes at once",
      weight: 2,
      isPossible: () => cluster.size > 1 && hasOne() && isOpen() && served().length > 0,
      run: Effect.suspend(() => refuseAtOnce(random.pick(served())!)),
    },
    { name: "remove a shared mailbox", isPossible: hasOne, run: remove },
  ];
};
