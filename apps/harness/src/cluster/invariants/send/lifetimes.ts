import { Keys } from "@postern/core/auth";
import { sendingKeyOf } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { MAX_SKEW_MILLIS } from "../../timeline/Incarnation.ts";
import { type Client, clientOf } from "./outbox-client.ts";

/** The maximum delay of an attempt, in milliseconds. */
const LATENESS_MILLIS = 3_000;
/** The maximum wait of a message to be sent, the shortest that a request may name; in milliseconds. */
const LIFETIME = 60_000;
const LIFE = { expiresAfter: "1m" };
/** The time until a scheduled message is due, in milliseconds. */
const AHEAD = 20_000;
/** The time between two attempts for one of the messages that wait for a server, in milliseconds. */
const PROBE_INTERVAL = 30_000;
/** The number of messages that a key may send in a day. */
const PER_DAY = 2;

const KEY = { scopes: ["mail:send"], accounts: null, networks: null, expiresAt: null, notify: null } as const;

/**
 * A message that ends unsent is reported, for any reason of its end. Its lifetime begins when it is due. A release
 * sends it no earlier than its scheduled time. A repeated request gets the same answer. Each key has its own quota.
 * [S6.4-3] [S6.5-2] [S10.2-19]
 */
export const lifetimes: Invariant = {
  name: "lifetimes",
  watch: (cluster) => ({
    calm: (visit) =>
      Effect.gen(function* () {
        const client = clientOf(visit, cluster, yield* visit.signUp("lifetimes"));
        const alone = clientOf(visit, cluster, yield* visit.signUp("alone-lifetimes"));
        yield* Effect.all([sendScheduled(client), sendSlowly(client), releaseEarly(client), sendUnanswered(alone)], {
          concurrency: "unbounded",
          discard: true,
        });
      }),
  }),
};

/** The server of a message never answers. */
const sendUnanswered = ({ visit, send, state, events }: Client) =>
  Effect.gen(function* () {
    const { messageId } = yield* send("away", { more: LIFE });
    yield* visit.wait(LIFETIME + PROBE_INTERVAL + LATENESS_MILLIS);
    visit.same(yield* state("away"), "failed", "the state of a message whose server never answered");
    visit.same(events(messageId), ["email.failed"], "the events of a message whose server never answered");
  });

/** The lifetime of a scheduled message begins at its time. */
const sendScheduled = ({ visit, send, attempts }: Client) =>
  Effect.gen(function* () {
    const sendAt = visit.now + LIFETIME + LATENESS_MILLIS;
    const { id } = yield* send("later-than-planned", { sendAt, more: LIFE });
    yield* visit.wait(sendAt + LIFETIME + LATENESS_MILLIS - visit.now);
    visit.same(attempts(id).length, 2, "the attempts of a scheduled message up to the end of its lifetime");
  });

/** A request to send is answered before its attempt ends. */
const sendSlowly = ({ visit, send, sendAgain, copies }: Client) =>
  Effect.gen(function* () {
    const key = "crawling-key";
    const first = yield* send("crawling", { key });
    visit.same(first.status, "queued", "the status of a message whose server takes long");
    yield* visit.within(AHEAD, "a slow server takes no message", () => copies(first.id, "crawling") === 1);
    yield* visit.wait(LATENESS_MILLIS);
    const repeated = yield* sendAgain("crawling", key);
    visit.same(repeated._tag === "Success" && repeated.success, first, "the answer to a repeat after the attempt");
  });

/** The messages of a deleted key are released before their time; another key of the application has its own quota. */
const releaseEarly = ({ visit, send, release, attempts }: Client) =>
  Effect.gen(function* () {
    const ask = <A, E>(use: (keys: Keys["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("keys", (services) => use(Context.get(services, Keys)));
    const make = ask((keys) => keys.make({ ...KEY, application: "lifetimes", name: "lifetimes", sendPerDay: PER_DAY }));
    const [by, sibling] = [sendingKeyOf((yield* make).key), sendingKeyOf((yield* make).key)];
    const sendAt = visit.now + AHEAD;
    const messages = yield* Effect.forEach(["early-1", "early-2"], (to) => send(to, { sendAt, by }));
    const over = yield* Effect.result(send("early-3", { sendAt, by }));
    visit.same(over._tag === "Failure" && over.failure._tag, "KeySendRateExceeded", "a message beyond those of a key");
    for (const to of ["own-1", "own-2"]) {
      const sent = yield* Effect.result(send(to, { by: sibling }));
      visit.same(sent._tag, "Success", "a message of another key of the application");
    }
    yield* ask((keys) => keys.remove(by.id));
    for (const { id } of messages) visit.same(yield* release(id, null), "Answered", "a release");
    yield* visit.wait(sendAt + LATENESS_MILLIS - visit.now);
    for (const { id } of messages) {
      const [at] = attempts(id);
      visit.expect(
        at !== undefined && at >= sendAt - MAX_SKEW_MILLIS,
        `a released message for ${sendAt} leaves at ${at}`,
      );
    }
  });
