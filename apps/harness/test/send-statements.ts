import { setTimeout as sleep } from "node:timers/promises";
import { type Harness, harnessWithStores } from "@postern/harness";
import { Effect } from "effect";
import { call, signIn } from "./call.ts";

const MAIL = { to: "friend@postern.test", subject: "Figures", text: "The figures." };
/** A message ends with the deletion of its contents, and a look for sessions that still need the credential. */
const isEnd = (text: string) => text.includes("outgoing_contents") && text.includes("delete");
const isLast = (text: string) => /from "?session"?/.test(text);

const send = Effect.fnUntraced(function* (world: Harness, token: string, log: ReadonlyArray<string>) {
  const from = log.length;
  const { body } = yield* call(world, "POST", "/api/send", { token, json: MAIL });
  if (body.status !== "sent") return yield* Effect.die(body);
  for (;;) {
    const end = log.findIndex((text, n) => n >= from && isEnd(text));
    const last = end < 0 ? -1 : log.findIndex((text, n) => n > end && isLast(text));
    if (last > 0) return log.slice(from, last + 1);
    yield* Effect.promise(() => sleep(5));
  }
});

/** Returns the verb and the tables of a statement. */
const named = (text: string): string => {
  const words = text.replaceAll(/["`]/g, "");
  const tables = [...words.matchAll(/\b(?:from|into|update|join) ([a-z]+(?:_[a-z]+)*)/gi)].map(([, table]) => table!);
  return [words.trim().split(/[\s;]/)[0]!.toLowerCase(), ...new Set(tables)].join(" ");
};

/** Returns the statements of one message from its request to its end, on stores that log their statements. */
export const statementsOfMessage = Effect.fnUntraced(function* (
  stores: Parameters<typeof harnessWithStores>[0],
  log: ReadonlyArray<string>,
) {
  const world = yield* harnessWithStores(stores);
  const token = (yield* signIn(world)).body.token as string;
  // The first ones make the row of the quota and wake the worker.
  for (let n = 0; n < 3; n++) yield* send(world, token, log);
  return (yield* send(world, token, log)).map(named).filter((statement) => statement !== NOTIFY);
});

/** PostgreSQL's wake-ups follow commits, without waiting. */
const NOTIFY = "select";

/** What precedes the end of a message: the request, the attempt, and the copy in Sent. */
export const beforeTheEnd = (inserts: ReadonlyArray<string>): ReadonlyArray<string> => [
  "select session",
  "select credential account",
  "select identity",
  "select credential account",
  "begin",
  "select send_quota",
  "update send_quota",
  ...inserts,
  "commit",
  "select credential account",
  "select credential",
  "update outgoing",
  "begin",
  "update outgoing",
  "insert event_count set",
  "insert event",
  "select credential account",
  "select endpoint",
  "commit",
  "select credential",
];
