import { Keys } from "@postern/core/auth";
import { Outbox, type SendingKey, sendingKeyOf } from "@postern/core/send";
import { Context, Effect } from "effect";
import type { Visit } from "../../Visit.ts";
import type { Client } from "./outbox-client.ts";

/** The maximum delay of an attempt, in milliseconds. */
export const LATENESS_MILLIS = 3_000;
/** The time until the scheduled messages are due, and until the attempt at a slow message is running. */
export const AHEAD = 20_000;
const RUNNING = 2_000;
/** A time longer than the wait until the second attempt, in milliseconds. */
export const SECOND_ATTEMPT = 70_000;
const KEY = { scopes: ["mail:send"], accounts: null, networks: null, expiresAt: null, notify: null } as const;

type Bulk = Parameters<Outbox["Service"]["changeAll"]>;

interface KeysOf {
  readonly ask: <A, E>(use: (keys: Keys["Service"]) => Effect.Effect<A, E>) => Effect.Effect<A, unknown>;
  /** Makes a key of an application. */
  readonly make: (application: string) => Effect.Effect<SendingKey, unknown>;
}

/** Returns the requests of an operator about keys. */
export const keysOf = (visit: Visit): KeysOf => {
  const ask = <A, E>(use: (keys: Keys["Service"]) => Effect.Effect<A, E>) =>
    visit.ask("keys", (services) => use(Context.get(services, Keys)));
  const make = (application: string) =>
    Effect.map(
      ask((keys) => keys.make({ ...KEY, application, name: application, sendPerDay: null })),
      ({ key }) => sendingKeyOf(key),
    );
  return { ask, make };
};

/** Changes all waiting messages that match, as an operator. */
export const changeAll = ({ visit }: Client, ...bulk: Bulk): ReturnType<Outbox["Service"]["changeAll"]> =>
  visit.ask(`${bulk[0]} all`, (services) => Context.get(services, Outbox).changeAll(...bulk));

/** Begins to send a message whose first attempt is running when this returns, and whose second recipient waits then. */
export const sendSlowly = ({ visit, send }: Client, by: SendingKey) =>
  Effect.tap(Effect.forkChild(send("slow later-slow", { by })), () => visit.wait(RUNNING));
