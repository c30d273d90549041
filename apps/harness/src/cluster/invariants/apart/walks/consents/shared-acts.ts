import { Accounts } from "@postern/core/accounts";
import { AccountCreation, AccountRemoval } from "@postern/core/lifecycle";
import { MailCredentials } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { dataOf, eventsOf } from "../../../../events-of.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import type { WalkedConsent } from "./walked-consent.ts";

/** A mailbox that the tokens of its owner open. */
interface SharedMailbox {
  readonly id: AccountId;
  refused: string | null;
  readonly told: Array<string>;
}

/** A time longer than a refusal needs to be reported. */
const TOLD = 6 * SECOND;

/** Shared mailboxes, which end and recover with the consent of their owner. [S11.2-1] [S11.2-8] [S11.2-12] [S11.4-16] */
export const sharedActs = (visit: Visit, cluster: Cluster, owner: WalkedConsent): ReadonlyArray<Act> => {
  const { random } = cluster;
  const all: Array<SharedMailbox> = [];
  let count = 0;
  const { opens } = cluster.mail;
  cluster.mail.opens = (account, token) =>
    opens(account, token) || (account.startsWith("shared-") && opens(owner.id, token));
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
      if (one.refused === null || !isOpen()) continue;
      one.told.push("account.recovered");
      one.refused = null;
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
      visit.same(tag, isOpen() ? "Answered" : "MailboxCredentialsRejected", `a token of ${one.id}`);
      yield* visit.wait(TOLD);
      if (isOpen() || one.refused !== null) return;
      one.refused = owner.known.refused ?? "grant_revoked";
      one.told.push(`account.auth_failed ${one.refused}`);
      yield* compare(one);
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
    const tag = yield* create(email, of, app);
    const promise = isRight && isOpen();
    visit.expect((tag === "Answered") === promise, `a mailbox that ${of} shares by ${app} is answered with ${tag}`);
    if (tag !== "Answered") return;
    all.push({ id: AccountId(email), refused: null, told: ["account.added"] });
    visit.same(yield* create(email, of, app), "AccountExists", "sharing a mailbox again");
  });
  const remove = Effect.gen(function* () {
    const one = random.pick(all)!;
    yield* visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(one.id));
    all.splice(all.indexOf(one), 1);
  });
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
    { name: "remove a shared mailbox", isPossible: hasOne, run: remove },
  ];
};
