import { Audit, type AuditEntry, AuditTrail } from "@postern/core/audit";
import { AccountChanges, AccountRemoval } from "@postern/core/lifecycle";
import { Outbox } from "@postern/core/send";
import { type AccountId, OpaqueIds } from "@postern/core/shared";
import { Context, Effect } from "effect";
import { clientOf } from "../../send/outbox-client.ts";
import { DAY, SECOND } from "../durations.ts";
import type { Operator } from "./operator.ts";

/** A time longer than calls of agents wait to be written, in milliseconds. */
const WRITTEN = 2 * SECOND;
const CALLS = 25;
const TICK = 10;

/** Each change is in the audit of its sender and of its account, for 90 days; a call of an agent for 30 days. */
export const auditRequests = ({ visit, cluster, make }: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const [account, other] = [yield* visit.signUp("audited"), yield* visit.signUp("unaudited")];
    const ids = Context.get(cluster.wiring.outside, OpaqueIds);
    const { key } = yield* make("audited");
    const sender = { key: key.id, application: "audited" };
    type Sender = Parameters<Audit["Service"]["trailOf"]>[0];
    /** Makes a request whose operations are recorded under a sender. */
    const as = <A, E, R>(services: Context.Context<Audit>, who: Sender, effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, AuditTrail, Context.get(services, Audit).trailOf(who));
    const page = (search: Parameters<Audit["Service"]["page"]>[0], reader: Parameters<Audit["Service"]["page"]>[1]) =>
      Effect.map(
        visit.ask("the audit", (services) => Context.get(services, Audit).page({ limit: 50, ...search }, reader)),
        ({ items }) => items,
      );
    const all = { key: null, account: null };
    const client = clientOf(visit, cluster, account);
    const cancel = (id: string, who: Sender) =>
      visit.tagOf("cancel", (services) => as(services, who, Context.get(services, Outbox).cancel(account, id)));
    const sendAt = visit.now + DAY;
    const [one, two] = [yield* client.send("audited-one", { sendAt }), yield* client.send("audited-two", { sendAt })];
    yield* cancel(one.id, sender);
    // Entries of one instant have no order.
    yield* visit.wait(TICK);
    yield* cancel(one.id.replace(/.$/, "_"), sender);
    yield* cancel(two.id, { key: null, application: null });
    for (const named of [account, other]) {
      yield* visit.wait(TICK);
      yield* visit.ask("change", (services) =>
        as(
          services,
          { key: "admin", application: null },
          Context.get(services, AccountChanges).change(named, { name: "Named" }, null),
        ),
      );
    }
    const shown = (entries: ReadonlyArray<AuditEntry>) =>
      entries.map((entry) => [
        entry.operation,
        entry.key,
        entry.application,
        entry.account,
        entry.target,
        entry.outcome,
      ]);
    const [cancelled, cancelledByPerson, changed, changedOther] = [
      ["send.cancel", key.id, "audited", ids.accountId(account), one.id, "done"],
      ["send.cancel", null, null, ids.accountId(account), two.id, "done"],
      ["accounts.change", "admin", null, ids.accountId(account), null, "done"],
      ["accounts.change", "admin", null, ids.accountId(other), null, "done"],
    ];
    const everything = [changedOther, changed, cancelledByPerson, cancelled];
    visit.same(shown(yield* page({}, all)), everything, "the audit");
    visit.same(shown(yield* page({}, { ...all, key: key.id })), [cancelled], "the audit of a key");
    const ofOther = yield* page({}, { ...all, account: other });
    visit.same(shown(ofOther), [changedOther], "the audit of an account");
    visit.same(yield* page({ account }, { ...all, account: other }), [], "another account's audit");
    visit.same(yield* page({ key: "admin" }, { ...all, key: key.id }), [], "another key's audit");
    visit.same(
      shown(yield* page({ account: ids.accountId(account), operation: "send.cancel" }, all)),
      [cancelledByPerson, cancelled],
      "a search",
    );

    const call = (tool: string, by: string, about: AccountId, message: string) =>
      visit.ask("record", (services) =>
        Context.get(services, Audit).recordCall({
          key: by,
          application: "audited",
          tool,
          account: about,
          ids: [message, "no id"],
          outcome: "done",
        }),
      );
    const names = Array.from({ length: CALLS }, (_, n) => `${String(n).padStart(2, "0")}${"x".repeat(20)}`);
    for (const name of names) {
      yield* call("read_message", key.id, account, name);
      yield* visit.wait(TICK);
    }
    yield* call("read_message", "another-key", account, names[0]!);
    yield* call("read_message", key.id, other, names[0]!);
    yield* visit.wait(WRITTEN);
    const asked = visit.now;
    yield* call("find_messages", key.id, account, names[0]!);
    yield* visit.wait(WRITTEN);
    const calls = yield* visit.ask("calls", (services) =>
      Context.get(services, Audit).callsBefore(asked, key.id, account),
    );
    const last = names.toReversed().slice(0, 20);
    visit.same(
      calls.map((entry) => entry.ids.join()),
      last,
      "the last 20 calls before an approval",
    );
    const counts = Effect.map(page({}, all), (entries) => {
      const made = entries.filter(({ operation }) => operation.startsWith("mcp."));
      return [entries.length - made.length, made.length];
    });
    visit.same(yield* counts, [4, CALLS + 3], "the changes and calls in the audit");
    // The entries outlive the account.
    yield* visit.ask("remove", (services) => Context.get(services, AccountRemoval).remove(other));
    yield* visit.skip(29 * DAY);
    visit.same(yield* counts, [4, CALLS + 3], "those in the audit after 29 days");
    yield* visit.skip(2 * DAY);
    visit.same(yield* counts, [4, 0], "those in the audit after 31 days");
    yield* visit.skip(58 * DAY);
    visit.same(yield* counts, [4, 0], "those in the audit after 89 days");
    yield* visit.skip(2 * DAY);
    visit.same(yield* counts, [0, 0], "those in the audit after 91 days");
  });
