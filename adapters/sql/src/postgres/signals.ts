import { Effect, Queue } from "effect";
import { type Kysely, sql } from "kysely";
import { Client, type ClientConfig } from "pg";
import type { Signals } from "../database/Engine.ts";
import { errorText } from "../database/error-text.ts";
import type { Tables } from "../tables/Tables.ts";

const CHANNEL = "postern_wake_up";
/** The interval at which a silent connection is checked, because its loss may go unnoticed for long. */
const ASK_MILLIS = 30_000;
const ANSWER_MILLIS = 5_000;
const FIRST_PAUSE_MILLIS = 250;
const MAX_PAUSE_MILLIS = 10_000;

/**
 * Sends by NOTIFY over the pool, and receives by LISTEN on a separate connection that reconnects. No work waits for a
 * signal, because workers poll too. Behind a pooler that shares connections no signal arrives.
 */
export const signalsOver = (kysely: Kysely<Tables>, config: ClientConfig, schema: string | undefined): Signals => {
  const channel = schema === undefined ? CHANNEL : `${CHANNEL}_${schema}`;
  const sender = globalThis.crypto.randomUUID();

  const send = (name: string) =>
    Effect.tryPromise(() => sql`select pg_notify(${channel}, ${`${sender} ${name}`})`.execute(kysely)).pipe(
      Effect.catch(({ cause }) => Effect.logDebug(`NOTIFY failed: ${errorText(cause)}`)),
    );

  /** Listens until the connection ends; returns the reason. */
  const listenOnce = (hear: (name: string | undefined) => void) =>
    Effect.gen(function* () {
      const lost = yield* Queue.sliding<string>(1);
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => new Client({ ...config, query_timeout: ANSWER_MILLIS })),
        (made) => Effect.promise(() => made.end().catch(() => {})).pipe(Effect.timeoutOption(ANSWER_MILLIS)),
      );
      client.on("error", ({ message }) => void Queue.offerUnsafe(lost, message));
      client.on("end", () => void Queue.offerUnsafe(lost, "the connection ended"));
      client.on("notification", ({ payload = "" }) => {
        const [from, name] = payload.split(" ", 2);
        if (from !== sender && name !== undefined) hear(name);
      });
      yield* Effect.tryPromise(() => client.connect());
      yield* Effect.tryPromise(() => client.query(`listen "${channel}"`));
      yield* Effect.logDebug("listening for other processes");
      hear(undefined);
      const asking = Effect.tryPromise(() => client.query("select 1")).pipe(
        Effect.delay(ASK_MILLIS),
        Effect.forever({ disableYield: true }),
      );
      return yield* Effect.raceFirst(Queue.take(lost), asking);
    }).pipe(
      Effect.scoped,
      Effect.catch(({ cause }) => Effect.succeed(errorText(cause))),
    );

  const listen: Signals["listen"] = (hear) => {
    let pause = FIRST_PAUSE_MILLIS;
    const heard = (name: string | undefined) => {
      if (name === undefined) pause = FIRST_PAUSE_MILLIS;
      hear(name);
    };
    const again = Effect.suspend(() => {
      const wait = pause;
      pause = Math.min(pause * 2, MAX_PAUSE_MILLIS);
      return Effect.sleep(wait);
    });
    return listenOnce(heard).pipe(
      Effect.flatMap((detail) => Effect.logDebug(`no longer listening for other processes: ${detail}`)),
      Effect.andThen(again),
      Effect.forever,
    );
  };

  return { send, listen };
};
