import { Keys } from "@postern/core/auth";
import { Outbox, sendingKeyOf } from "@postern/core/send";
import { Context, Effect, Fiber } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { MAX_SKEW_MILLIS } from "../../timeline/Incarnation.ts";
import { type Client, clientOf } from "./outbox-client.ts";

/** The maximum delay of an attempt, in milliseconds. */
const LATENESS_MILLIS = 3_000;
/** The time between two attempts for one of the messages that wait for a server, in milliseconds. [S6.4-12] */
const PROBE_INTERVAL = 30_000;
const KEY = { scopes: ["mail:send"], accounts: null, networks: null, expiresAt: null, notify: null } as const;

/**
 * The answer to a request to send stays true: a message that the service reports as sent, refused, waiting, held or
 * cancelled is in that state. No message is sent before its time or too late, and a repeated request gets the same
 * answer.
 */
export const outbox: Invariant = {
  name: "outbox",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const account = yield* visit.signUp("outbox");
        const client = clientOf(visit, cluster, account);
        const alone = clientOf(visit, cluster, yield* visit.signUp("alone"));
        yield* Effect.all([checkAnswers(client), checkWaiting(client), checkHeld(client), checkOutage(alone)], {
          concurrency: "unbounded",
          discard: true,
        });
      }),
  }),
};

/** [S6.4-6] [S6.4-11] [S6.5-2] [S6.5-3] [S6.5-4] [S6.5-6] */
const checkAnswers = (client: Client) =>
  Effect.gen(function* () {
    const { visit, send, sendAgain, state, copies, events } = client;
    const key = "outbox-key";
    const first = yield* send("one refused later", { key });
    visit.same(first.status, "sent", "the status of a message that one recipient got");
    visit.same(first.rejected.map(({ recipient }) => recipient).toSorted(), REJECTED, "those refused");
    yield* visit.wait(100);
    visit.same(copies(first.id, "one"), 1, "copies for a recipient");
    const repeated = yield* sendAgain("one refused later", key);
    visit.same(repeated._tag === "Success" && repeated.success, first, "the answer to a repeat");
    const reused = yield* sendAgain("another", key);
    visit.same(
      reused._tag === "Failure" && reused.failure._tag,
      "IdempotencyKeyReused",
      "another body under a used key",
    );
    visit.same(yield* state("one refused later"), "sent", "the state of a message that one recipient got");
    visit.same(yield* client.cancel(first.id), "OutgoingNotCancellable", "cancelling what was partly sent");
    visit.same(yield* client.hasten(first.id), "OutgoingNotWaiting", "hastening what was partly sent");

    for (const [to, tag, last] of FAILURES) {
      const failed = yield* sendAgain(to, `${to}-key`);
      visit.same(failed._tag === "Failure" && failed.failure._tag, tag, `sending to ${to}`);
      const again = yield* sendAgain(to, `${to}-key`);
      visit.same(again._tag === "Failure" && again.failure._tag, tag, `a repeat of sending to ${to}`);
      visit.same(yield* state(to), last, `the state of a message to ${to}`);
    }
    const slow = yield* Effect.forkChild(sendAgain("slow", "slow-key"));
    yield* visit.wait(1_500);
    const meanwhile = yield* sendAgain("slow", "slow-key");
    visit.same(meanwhile._tag === "Failure" && meanwhile.failure._tag, "SendInProgress", "a repeat during the attempt");
    visit.same((yield* Fiber.join(slow))._tag, "Success", "a message that takes its time");
    const began = client.attempts(first.id)[0]!;
    yield* visit.wait(61_000 + LATENESS_MILLIS - (visit.now - began));
    const waited = client.attempts(first.id).slice(1, 2);
    visit.expect(
      waited.every((at) => at >= began + 60_000 - MAX_SKEW_MILLIS && at <= began + 60_000 + 2 * LATENESS_MILLIS) &&
        waited.length === 1,
      `the second attempt is ${String(waited.map((at) => at - began))} ms after the first`,
    );
    visit.same(
      events(first.messageId).toSorted(),
      ["email.bounced refused@far.test", "email.sent"],
      "the events of a message that one recipient got",
    );
  });

const REJECTED = ["later@far.test", "refused@far.test"];
const FAILURES = [
  ["refused", "RecipientRefused", "failed"],
  ["spam", "RecipientRefused", "failed"],
  ["lost", "SendOutcomeUnknown", "unknown"],
] as const;

const checkWaiting = (client: Client) =>
  Effect.gen(function* () {
    const { visit, send, state, copies } = client;
    const sendAt = visit.now + 20_000;
    const planned = yield* send("planned", { sendAt });
    const dropped = yield* send("dropped", { sendAt });
    visit.same([planned.status, yield* state("planned")], ["scheduled", "scheduled"], "a message for later");
    visit.same(yield* client.hasten(planned.id), "OutgoingNotWaiting", "hastening a scheduled message");
    visit.same(yield* client.cancel(dropped.id), "Answered", "cancelling a scheduled message");
    visit.same(yield* client.cancel(dropped.id), "OutgoingNotCancellable", "cancelling again");
    visit.same(yield* client.hasten(dropped.id), "OutgoingNotWaiting", "hastening a cancelled message");
    const queued = yield* send("later-once");
    visit.same([queued.status, yield* state("later-once")], ["queued", "queued"], "a message that is refused for now");
    visit.same(yield* client.hasten(queued.id), "Answered", "hastening a queued message");
    yield* visit.within(5_000, "a hastened message is not tried", () => client.attempts(queued.id).length === 2);
    yield* visit.wait(1_000);
    visit.same(yield* client.cancel(queued.id), "Answered", "cancelling a queued message");
    visit.same(yield* state("later-once"), "cancelled", "the state of a cancelled message");
    yield* visit.wait(sendAt - visit.now + LATENESS_MILLIS);
    const [at] = client.attempts(planned.id);
    visit.expect(at !== undefined && at >= sendAt - MAX_SKEW_MILLIS, `a message for ${sendAt} leaves at ${at}`);
    visit.same(copies(planned.id, "planned"), 1, "copies of a planned message");
    visit.same(copies(dropped.id, "dropped"), 0, "copies of a cancelled message");
    visit.same(client.events(dropped.messageId), [], "the events of a cancelled message");
  });

/** The messages of a deleted key are held until they are released. */
const checkHeld = (client: Client) =>
  Effect.gen(function* () {
    const { visit, send, state, copies } = client;
    const make = (application: string) =>
      Effect.map(
        visit.ask("make a key", (services) =>
          Context.get(services, Keys).make({ ...KEY, application, name: application, sendPerDay: 3 }),
        ),
        ({ key }) => sendingKeyOf(key),
      );
    const [by, sibling, stranger] = [yield* make("outbox"), yield* make("outbox"), yield* make("stranger")];
    const sendAt = visit.now + 15_000;
    const planned = yield* send("kept", { sendAt, by });
    const released = yield* send("kept-too", { sendAt, by });
    const running = yield* Effect.forkChild(send("slow later-held", { by }));
    yield* visit.wait(2_000);
    const over = yield* Effect.result(send("over", { by }));
    visit.same(over._tag === "Failure" && over.failure._tag, "KeySendRateExceeded", "a message beyond those of a key");
    const { ended } = yield* visit
      .ask("delete the key", (services) => Context.get(services, Keys).remove(by.id))
      .pipe(Effect.map((answer) => ({ ended: answer.messages })));
    visit.expect(ended >= 2, `the deletion of a key ends ${ended} of its messages`);
    visit.same(yield* state("kept"), "held", "the state of a message whose key was deleted");
    visit.same(yield* client.hasten(planned.id), "OutgoingNotWaiting", "hastening a held message");
    visit.same(yield* client.release(planned.id, stranger), "OutgoingNotReleasable", "a release by a stranger");
    yield* visit.wait(sendAt - visit.now + LATENESS_MILLIS);
    visit.same([copies(planned.id, "kept"), copies(released.id, "kept-too")], [0, 0], "copies of held messages");
    visit.same(yield* client.release(planned.id, null), "Answered", "a release by a person");
    visit.same(yield* client.release(released.id, sibling), "Answered", "a release by the application");
    const areSent = () => copies(planned.id, "kept") + copies(released.id, "kept-too") === 2;
    yield* visit.within(2 * LATENESS_MILLIS, "released messages are not sent", areSent);
    const { id } = yield* Fiber.join(running);
    yield* visit.wait(70_000 - (visit.now - client.attempts(id)[0]!));
    visit.same(client.attempts(id).length, 1, "attempts of a message whose key was deleted during the first");
    visit.same(yield* client.release(id, null), "Answered", "a release of what is left");
    yield* visit.within(2 * LATENESS_MILLIS, "what was left is not sent", () => client.attempts(id).length > 1);
  });

/**
 * Messages that wait for a server are attempted as soon as it answers; if the one that is tried next is cancelled, by its
 * owner or the operator, or held, the next one is tried. [S6.4-13] [S6.4-14] [S6.7-2]
 */
const checkOutage = (client: Client) =>
  Effect.gen(function* () {
    const { visit, send } = client;
    const messages = yield* Effect.forEach(["busy-1", "busy-2", "busy-3"], (to) => send(to), { concurrency: 3 });
    for (const { status } of messages) visit.same(status, "queued", "the status while the server is busy");
    const entries = yield* Effect.forEach(["busy-1", "busy-2", "busy-3"], client.entry);
    const probe = entries.toSorted((one, other) => one.message.attemptAt! - other.message.attemptAt!)[0]!.message;
    const isAlone = client.attempts(probe.id).length === 1;
    const change = client.cluster.random.pick(["hold", "cancel", null] as const);
    const changed = yield* change === null
      ? client.cancel(probe.id)
      : visit.tagOf(`${change} the probe`, (services) =>
          Context.get(services, Outbox).changeAll(change, { messageId: probe.messageId }),
        );
    if (isAlone) visit.same(changed, "Answered", `${change ?? "cancelling"} the message that is tried next`);
    const others = messages.filter(({ id }) => id !== probe.id);
    const areTried = () => others.every(({ id }) => client.attempts(id).length > 1);
    yield* visit.within(
      PROBE_INTERVAL + 2 * LATENESS_MILLIS,
      "no message is tried for a server that was away",
      areTried,
    );
    if (isAlone && change !== null)
      visit.same(
        yield* client.state(probe.subject),
        change === "hold" ? "held" : "cancelled",
        `the state of the message that was tried next, after ${change}`,
      );
    if (change === "hold") yield* client.cancel(probe.id);
  });
