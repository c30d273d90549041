import { Effect, Fiber } from "effect";
import { AHEAD, changeAll, keysOf, LATENESS_MILLIS, SECOND_ATTEMPT, sendSlowly } from "./mail-of-keys.ts";
import type { Client } from "./outbox-client.ts";

/** No request releases the messages of a suspended application; all are sent once it is resumed. */
export const checkSuspension = (client: Client): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, account, send, attempts, release } = client;
    const { ask, make } = keysOf(visit);
    const [by, other] = [yield* make("suspended"), yield* make("not-suspended")];
    const running = yield* sendSlowly(client, by);
    const sendAt = visit.now + AHEAD;
    const planned = yield* send("planned-here", { sendAt, by });
    const free = yield* send("planned-too", { sendAt, by: other });
    yield* ask((keys) => keys.suspend("suspended"));
    for (const who of [null, by])
      visit.same(yield* release(planned.id, who), "OutgoingNotReleasable", "a release of suspended mail");
    const released = yield* changeAll(client, "release", { account });
    visit.same(released, { messages: 0, sending: 0 }, "what an operator releases of a suspended application");
    const { id } = yield* Fiber.join(running);
    yield* visit.wait(SECOND_ATTEMPT);
    const tried = () => [planned, free, { id }].map((one) => attempts(one.id).length);
    visit.same(tried(), [0, 1, 1], "the attempts while one of two applications is suspended");
    visit.same(yield* client.state("planned-here"), "held", "the state of suspended mail");
    yield* ask((keys) => keys.resume("suspended"));
    yield* visit.wait(LATENESS_MILLIS);
    visit.same(tried(), [1, 1, 2], "the attempts after an application was resumed");
  });

/** The end of a key or of an application cancels, holds or keeps its messages, as the request says. */
export const checkEndedKeys = (client: Client): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { visit, send, attempts } = client;
    const { ask, make } = keysOf(visit);
    const names = ["hold-key", "cancel-key", "keep-key", "cancel-app", "hold-app", "keep-app"] as const;
    const keys = yield* Effect.forEach(names, make);
    const running = yield* sendSlowly(client, keys[3]!);
    const sendAt = visit.now + AHEAD;
    const messages = yield* Effect.forEach(names, (name, n) => send(name, { sendAt, by: keys[n]! }));
    for (const [n, name] of names.entries()) {
      const [mail, what] = name.split("-") as ["hold" | "cancel" | "keep", string];
      // Deleting a key holds its messages, and deleting an application cancels them, unless the request says otherwise.
      const said = name === "hold-key" || name === "cancel-app" ? undefined : mail;
      if (what === "key") yield* ask((all) => all.remove(keys[n]!.id, said));
      else yield* ask((all) => all.removeApplication(name, said));
    }
    yield* visit.wait(sendAt + LATENESS_MILLIS - visit.now);
    const tried = messages.map(({ id }) => attempts(id).length);
    visit.same(tried, [0, 0, 1, 0, 0, 1], "the attempts at messages of ended keys");
    const states = yield* Effect.forEach(names, client.state);
    const promised = ["held", "cancelled", "sent", "cancelled", "held", "sent"];
    visit.same(states, promised, "the states of the messages of ended keys");
    for (const n of [0, 4]) visit.same(yield* client.release(messages[n]!.id, null), "Answered", "a release");
    const { id } = yield* Fiber.join(running);
    yield* visit.wait(SECOND_ATTEMPT);
    visit.same(attempts(id).length, 1, "the attempts at a message whose application ended during the first");
    visit.same(yield* client.release(id, null), "Answered", "a release of what was left");
  });
