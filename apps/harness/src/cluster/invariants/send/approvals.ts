import { Keys } from "@postern/core/auth";
import { Approvals, Drafts } from "@postern/core/drafts";
import { Identities, sendingKeyOf } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";

/** The maximum time until an accepted message is sent, in milliseconds. */
const LEAVES_MILLIS = 5_000;
const KEY = { accounts: null, networks: null, expiresAt: null, sendPerDay: null, notify: null } as const;

/**
 * An agent without `mail:send` sends only messages that a person approved, each once, regardless of concurrent
 * decisions and of changes to the draft. [S13.2-4] [S13.2-5] [S13.2-6]
 */
export const approvals: Invariant = {
  name: "approvals",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const agent = yield* agentOf(visit, cluster);
        yield* approvedAtOnce(agent);
        yield* decideDuringApproval(agent);
        yield* approveRenamed(agent);
        yield* approveEnded(agent);
      }),
  }),
};

const agentOf = Effect.fnUntraced(function* (visit: Visit, cluster: Cluster) {
  const account = yield* visit.signUp("agent");
  const make = visit.ask("make the key of an agent", (services) =>
    Context.get(services, Keys).make({ ...KEY, scopes: ["mail:draft"], application: "agent", name: "agent" }),
  );
  const by = sendingKeyOf((yield* make).key);
  const use = <A, E>(what: string, ask: (approvals: Approvals["Service"]) => Effect.Effect<A, E>) =>
    visit.ask(what, (services) => ask(Context.get(services, Approvals)));
  const request = (subject: string) => ({ to: "reader@far.test", subject, text: "simulated" });
  return {
    visit,
    by,
    /** Requests the sending of a message; returns the approval. */
    ask: Effect.fnUntraced(function* (subject: string) {
      const outcome = yield* use(`ask for ${subject}`, (one) => one.send(account, request(subject), undefined, by));
      return "approval" in outcome ? outcome.approval : yield* Effect.die(new Error(`${subject} was sent at once`));
    }),
    approve: (id: string, version: number) =>
      Effect.result(use("approve", (one) => one.approve(account, id, String(version), null))),
    deny: (id: string) => Effect.result(use("deny", (one) => one.deny(account, id, "no", null))),
    state: (id: string) =>
      Effect.map(
        use("find", (one) => one.find(account, id)),
        ({ state }) => state,
      ),
    save: (id: string, version: number, subject: string) =>
      Effect.result(
        visit.ask("save", (services) =>
          Context.get(services, Drafts).save(account, id, String(version), request(subject)),
        ),
      ),
    rename: (name: string) =>
      visit.ask("rename the sender", (services) => {
        const identities = Context.get(services, Identities);
        return Effect.flatMap(identities.page(account, {}), ({ items }) =>
          identities.change(account, items[0]!.id, { name }),
        );
      }),
    endKey: visit.ask("delete the key of the agent", (services) => Context.get(services, Keys).remove(by.id)),
    /** Returns the number of sent messages with this subject. */
    sent: (subject: string) =>
      Effect.as(visit.wait(LEAVES_MILLIS), undefined).pipe(
        Effect.map(
          () =>
            cluster.smtp.taken.filter(
              ({ from, raw }) =>
                from === account && new RegExp(`^Subject: ${subject}\r?$`, "m").test(new TextDecoder().decode(raw)),
            ).length,
        ),
      ),
  };
});
type Agent = Effect.Success<ReturnType<typeof agentOf>>;

/** Several people approve at the same time. */
const approvedAtOnce = Effect.fnUntraced(function* ({ visit, ask, approve, state, sent }: Agent) {
  const { id, version } = yield* ask("approved");
  visit.same(yield* sent("approved"), 0, "the messages before the approval");
  yield* Effect.all([approve(id, version), approve(id, version), approve(id, version)], { concurrency: 3 });
  visit.same([yield* state(id), yield* sent("approved")], ["approved", 1], "an approved message");
});

/** The draft is saved and the approval denied, at the same time as a person approves. */
const decideDuringApproval = Effect.fnUntraced(function* ({ visit, ask, approve, deny, save, state, sent }: Agent) {
  const saved = yield* ask("crossed");
  yield* Effect.all([approve(saved.id, saved.version), save(saved.draftId, saved.version, "rewritten")], {
    concurrency: 2,
  });
  const isApproved = (yield* state(saved.id)) === "approved";
  const left = [yield* sent("crossed"), yield* sent("rewritten")];
  visit.same(left, [isApproved ? 1 : 0, 0], "what left of a draft that was saved while it was approved");
  const denied = yield* ask("contested");
  yield* Effect.all([approve(denied.id, denied.version), deny(denied.id)], { concurrency: 2 });
  const expected = (yield* state(denied.id)) === "approved" ? 1 : 0;
  visit.same(yield* sent("contested"), expected, "what left of a message that was approved and denied");
});

/** A person approves a message whose sender has another name since. */
const approveRenamed = Effect.fnUntraced(function* ({ visit, ask, approve, rename, state, sent }: Agent) {
  const { id, version } = yield* ask("renamed");
  yield* rename("Another name");
  yield* approve(id, version);
  visit.same([yield* state(id), yield* sent("renamed")], ["stale", 0], "an approval whose sender was renamed");
});

/** A person approves a message that was denied, was changed, or was requested with a key that has ended. */
const approveEnded = Effect.fnUntraced(function* ({ visit, ask, approve, deny, save, state, sent, endKey }: Agent) {
  const [denied, stale, withdrawn] = [yield* ask("denied"), yield* ask("stale"), yield* ask("withdrawn")];
  yield* deny(denied.id);
  yield* save(stale.draftId, stale.version, "changed");
  yield* endKey;
  for (const { id, version, subject } of [denied, stale, withdrawn]) {
    yield* approve(id, version);
    visit.same(yield* state(id), subject, "the state of an approval that ended");
    visit.same(yield* sent(subject), 0, `the messages of an approval that is ${subject}`);
  }
  visit.same(yield* sent("changed"), 0, "the messages of the changed draft");
});
