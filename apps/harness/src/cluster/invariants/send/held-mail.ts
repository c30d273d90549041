import { Outbox } from "@postern/core/send";
import { Context, Effect, Fiber } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { checkEndedKeys, checkSuspension } from "./ended-keys.ts";
import { AHEAD, changeAll, keysOf, LATENESS_MILLIS, SECOND_ATTEMPT, sendSlowly } from "./mail-of-keys.ts";
import { type Client, clientOf } from "./outbox-client.ts";

/**
 * Messages are held, released, cancelled or kept by exactly those requests that may do so: of the operator for the
 * messages that match, for the suspension of an application, and for the end of a key or an application. An attempt
 * that runs at that time is the last one. [S6.6-5] [S6.6-6] [S6.6-7] [S6.6-14] [S6.7-2] [S6.7-3] [S6.7-5]
 */
export const heldMail: Invariant = {
  name: "held-mail",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.all(
        [holdByOperator, changeByOperator, checkSuspension, checkEndedKeys].map((check, n) =>
          Effect.flatMap(visit.signUp(`holding-${n}`), (account) => check(clientOf(visit, cluster, account))),
        ),
        { concurrency: "unbounded", discard: true },
      ),
  }),
};

/** The operator holds the messages of an application in one account, and releases them. */
const holdByOperator = (client: Client) =>
  Effect.gen(function* () {
    const { visit, account, send, copies, attempts, release } = client;
    const { make } = keysOf(visit);
    const application = "held-all";
    const [one, two, stranger] = [yield* make(application), yield* make(application), yield* make("not-held")];
    yield* holdOfEndedKey(client);
    const running = yield* sendSlowly(client, one);
    const sendAt = visit.now + AHEAD;
    const mine = yield* Effect.forEach([one, two], (by, n) => send(`mine-${n}`, { sendAt, by }));
    const others = [yield* send("strange", { sendAt, by: stranger }), yield* send("personal", { sendAt })];
    visit.same((yield* Effect.result(changeAll(client, "hold", {})))._tag, "Failure", "holding messages by no field");
    const chosen = { account, application };
    visit.same(yield* changeAll(client, "hold", chosen), { messages: 2, sending: 1 }, "what an operator holds");
    visit.same(yield* changeAll(client, "hold", chosen), { messages: 0, sending: 0 }, "what is held again");
    const states = yield* Effect.forEach(["mine-0", "mine-1", "strange", "personal"], client.state);
    visit.same(states, ["held", "held", "scheduled", "scheduled"], "the states after an operator held some");
    for (const by of [null, two])
      visit.same(yield* release(mine[0]!.id, by), "OutgoingNotReleasable", "a release of what the operator holds");
    yield* visit.wait(sendAt + LATENESS_MILLIS - visit.now);
    const tried = () => [...mine, ...others].map(({ id }) => attempts(id).length);
    visit.same(tried(), [0, 0, 1, 1], "the attempts at messages of which an operator holds some");
    const { id } = yield* Fiber.join(running);
    yield* visit.wait(SECOND_ATTEMPT);
    visit.same([copies(id, "slow"), attempts(id).length], [1, 1], "what was sent of a message held during its attempt");
    visit.same(yield* release(id, null), "OutgoingNotReleasable", "a release of what the operator held meanwhile");
    visit.same(yield* changeAll(client, "release", chosen), { messages: 3, sending: 0 }, "what an operator releases");
    yield* visit.wait(LATENESS_MILLIS);
    visit.same(tried(), [1, 1, 1, 1], "the attempts after an operator released the messages");
    visit.same(attempts(id).length, 2, "the attempts after the release of what was left");
  });

/** The operator holds a message that is held already, because its key was deleted: only the operator releases it. */
const holdOfEndedKey = (client: Client) =>
  Effect.gen(function* () {
    const { visit, account, cancel, send, release } = client;
    const { ask, make } = keysOf(visit);
    const application = "ended-and-held";
    const key = yield* make(application);
    const { id } = yield* send("ended-and-held", { sendAt: visit.now + AHEAD, by: key });
    yield* ask((keys) => keys.remove(key.id));
    yield* changeAll(client, "hold", { account, application });
    visit.same(
      yield* release(id, null),
      "OutgoingNotReleasable",
      "a release of what an operator holds of a deleted key",
    );
    const released = yield* changeAll(client, "release", { account, application });
    visit.same(released, { messages: 1, sending: 0 }, "what an operator releases that was held twice");
    visit.same(yield* cancel(id), "Answered", "the cancellation of what was held twice");
  });

/** The operator cancels messages of a key, and releases those of a deleted one, which then belong to no key. */
const changeByOperator = (client: Client) =>
  Effect.gen(function* () {
    const { visit, account, send, copies, attempts } = client;
    const { ask, make } = keysOf(visit);
    const [ended, sibling, lost] = [yield* make("ending"), yield* make("ending"), yield* make("lost")];
    const running = yield* sendSlowly(client, ended);
    const sendAt = visit.now + AHEAD;
    const messages = yield* Effect.forEach([ended, sibling, lost], (by, n) => send(`ending-${n}`, { sendAt, by }));
    const cancelled = yield* changeAll(client, "cancel", { key: ended.id });
    visit.same(cancelled, { messages: 1, sending: 1 }, "what an operator cancels");
    yield* ask((keys) => keys.remove(lost.id));
    const released = yield* changeAll(client, "release", { application: "lost" });
    visit.same(released, { messages: 1, sending: 0 }, "what an operator releases of a deleted key");
    const ofKey = yield* visit.ask("list", (services) => Context.get(services, Outbox).page(account, { key: lost.id }));
    visit.same(ofKey.items.length, 0, "the messages that belong to a deleted key after their release");
    yield* visit.wait(sendAt + LATENESS_MILLIS - visit.now);
    const sent = messages.map(({ id }, n) => copies(id, `ending-${n}`));
    visit.same(sent, [0, 1, 1], "the copies of messages of which an operator cancelled one and released one");
    const { id } = yield* Fiber.join(running);
    yield* visit.wait(SECOND_ATTEMPT);
    visit.same([copies(id, "slow"), attempts(id).length], [1, 1], "what was sent of a message cancelled meanwhile");
    const states = yield* Effect.forEach(["ending-0", "ending-1", "slow later-slow"], client.state);
    visit.same(states, ["cancelled", "sent", "sent"], "the states after an operator cancelled some");
  });
