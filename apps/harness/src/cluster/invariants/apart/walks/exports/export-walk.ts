import { Accounts } from "@postern/core/accounts";
import { FolderManagement } from "@postern/core/folders";
import { AccountExport } from "@postern/core/lifecycle";
import { Identities, MessageSender } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { WebhookEndpoints } from "@postern/core/webhooks";
import { Context, Effect, Redacted, Stream } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import { eventsOf } from "../../../../events-of.ts";
import type { Invariant } from "../../../../Invariant.ts";
import { PASSWORD, type Visit } from "../../../../Visit.ts";
import { DAY, MINUTE } from "../../durations.ts";
import { auditOf } from "../audited.ts";

/** The numbers of records of one kind: records are read 50 at a time. */
const MANY = [49, 50, 51, 100, 101];
/** The number of messages that may be sent in a minute. */
const PER_MINUTE = 20;

/**
 * An export has each record of the account once, however many there are, no secret, and nothing of another account.
 * [S10.3-44] [S10.3-45]
 */
export const exportWalk: Invariant = {
  name: "export-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const one = ownerOf(visit, cluster, yield* visit.signUp("exported"));
        const other = ownerOf(visit, cluster, yield* visit.signUp("not-exported"));
        const kinds = Object.keys(one.add) as ReadonlyArray<keyof typeof one.add>;
        const most = visit.pickInTurn(kinds);
        for (const kind of kinds) {
          yield* other.add[kind];
          const count = kind === most ? cluster.random.pick(MANY)! : cluster.random.between(0, 3);
          for (let n = 0; n < count; n++) yield* one.add[kind];
        }
        for (const { compare } of [one, other]) yield* compare([...one.secrets, ...other.secrets]);
      }),
  }),
};

/** Returns the owner of an account, who adds records of each kind, with the records that must be exported. */
const ownerOf = (visit: Visit, cluster: Cluster, account: AccountId) => {
  const audit = auditOf(visit, cluster, account);
  const ids = { Identity: [] as Array<string>, Endpoint: [] as Array<string>, Outgoing: [] as Array<string> };
  const secrets: Array<string> = [PASSWORD];
  let [count, sessions, operations] = [0, 1, 0];
  const add = {
    session: Effect.map(visit.signIn(account), ({ token, refreshToken }) => {
      sessions++;
      secrets.push(token, refreshToken);
    }),
    identity: Effect.gen(function* () {
      // An account has at most 100 identities besides its own, and 100 endpoints.
      if (ids.Identity.length === 100) return;
      const alias = { address: `alias-${++count}@far.test`, name: "Alias" };
      const { id } = yield* visit.ask("identity", (services) =>
        Context.get(services, Identities).create(account, alias, true),
      );
      ids.Identity.push(id);
    }),
    endpoint: Effect.gen(function* () {
      if (ids.Endpoint.length === 100) return;
      const { endpoint, secret } = yield* visit.ask("endpoint", (services) =>
        Context.get(services, WebhookEndpoints).create(
          { _tag: "Account", account },
          { url: `https://visit.sim.test/exported-${++count}`, events: ["email.bounced"] },
        ),
      );
      ids.Endpoint.push(endpoint.id);
      if (secret !== null) secrets.push(Redacted.value(secret));
    }),
    message: Effect.gen(function* () {
      if (ids.Outgoing.length % PER_MINUTE === PER_MINUTE - 1) yield* visit.skip(MINUTE);
      const sendAt = new Date(visit.now + 20 * DAY).toISOString();
      const request = { to: "reader@far.test", subject: "exported", text: `secret text ${++count};`, sendAt };
      const { id } = yield* visit.ask("send", (services) =>
        Context.get(services, MessageSender).send(account, request, undefined),
      );
      ids.Outgoing.push(id);
      secrets.push(request.text);
    }),
    event: visit.ask("folder", (services) =>
      Context.get(services, FolderManagement).create(account, { name: `Folder ${++count}`, parentId: null }),
    ),
    operation: Effect.gen(function* () {
      operations++;
      yield* visit.ask("rename", (services) =>
        audit.as(
          services,
          Effect.flatMap(Context.get(services, Identities).page(account, {}), ({ items }) =>
            Context.get(services, Identities).change(account, items[0]!.id, { name: `Name ${operations}` }),
          ),
        ),
      );
    }),
  };
  /** Compares an export with the records that were added. */
  const compare = (allSecrets: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const records = yield* visit.ask("export", (services) =>
        Effect.gen(function* () {
          const found = yield* Context.get(services, Accounts).find(account, null);
          return [...(yield* Stream.runCollect(Context.get(services, AccountExport).of(found)))];
        }),
      );
      const idsOf = (tag: string) =>
        records.flatMap((one) => {
          if (one._tag !== tag) return [];
          if (one._tag === "Endpoint") return [one.record.endpoint.id];
          if (one._tag === "Outgoing") return [one.record.message.id];
          return "id" in one.record ? [one.record.id] : [one.record.account.id];
        });
      visit.same(idsOf("Account"), [account], "the account of an export");
      for (const tag of ["Endpoint", "Outgoing"] as const)
        visit.same(idsOf(tag).toSorted(), ids[tag].toSorted(), `the records ${tag} of an export`);
      const [, ...aliases] = idsOf("Identity");
      visit.same(aliases.toSorted(), ids.Identity.toSorted(), "the identities of an export");
      for (const [tag, number] of [
        ["Session", sessions],
        ["Operation", operations],
      ] as const)
        visit.same([idsOf(tag).length, new Set(idsOf(tag)).size], [number, number], `the records ${tag} of an export`);
      visit.same(
        idsOf("Event").toSorted(),
        eventsOf(cluster, account)
          .map(({ id }) => id)
          .toSorted(),
        "the events of an export",
      );
      const text = JSON.stringify(records);
      for (const secret of allSecrets)
        visit.expect(!text.includes(JSON.stringify(secret).slice(1, -1)), `an export contains ${secret}`);
      const foreign = account.startsWith("exported") ? "not-exported@" : '"exported@';
      visit.expect(!text.includes(foreign), "an export names another account");
    });
  return { add, secrets, compare };
};
