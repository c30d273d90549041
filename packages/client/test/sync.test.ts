import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient, type Email, type SyncOptions } from "../src/index.ts";
import { type Answers, json, scripted } from "./scripted.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const email = (id: string) => ({ id }) as Email;
const event = (type: string, data: object) => ({ id: "evt", event: type, timestamp: "t", account: null, data });
const feed =
  (next: string, ...data: ReadonlyArray<object>) =>
  () =>
    json(200, { ok: true, data, next, more: false });
const list =
  (nextCursor: string | null, ...ids: ReadonlyArray<string>) =>
  () =>
    json(200, { ok: true, data: ids.map(email), nextCursor });
const message = (id: string) => () => json(200, { ok: true, data: email(id) });
const found =
  (...ids: ReadonlyArray<string>) =>
  () =>
    json(200, { ok: true, emails: ids.map(email) });
const problem = (status: number, code: string) => () => json(status, { code });

/** Runs a program against these answers until it stores the position `last`. Returns its calls and requests. */
const run = async (answers: Answers, last: string, options: Partial<SyncOptions> = {}) => {
  const { fetch, asked } = scripted(...answers);
  const done: Array<string> = [];
  const stop = new AbortController();
  const running = createClient({ baseUrl: "http://postern.test", key: "psk_1", fetch, retries: 0 })
    .sync("ada@example.com", {
      onMessage: ({ id }) => void done.push(`message ${id}`),
      onMoved: ({ id, folder }) => void done.push(`moved ${id} to ${folder}`),
      onFlags: ({ id, unread }) => void done.push(`flags ${id} ${unread}`),
      onGone: (id) => void done.push(`gone ${id}`),
      onPosition: (position) => {
        done.push(`position ${position}`);
        if (position === last) stop.abort(new Error("stopped"));
      },
      signal: stop.signal,
      ...options,
    })
    .catch((error: Error) => error.message);
  await vi.advanceTimersByTimeAsync(300_000);
  expect(new Set(asked.map(({ headers }) => headers.get("postern-account")))).toEqual(new Set(["ada@example.com"]));
  return { end: await running, done, asked: asked.map(({ path }) => path) };
};

const LISTED = "folders=*%2Cjunk%2Ctrash";
const CHANGES = [
  event("email.received", { id: "c" }),
  event("email.moved", { id: "a", folder: "Work" }),
  event("email.flags_changed", { id: "b", unread: false }),
  event("folder.created", { id: "f_1" }),
  event("email.deleted", { id: "b" }),
  event("draft.changed", { id: "d", removed: true }),
  event("email.sent", { id: "s", source: "mailbox" }),
];

it("lists the mailbox, and follows the feed from before the listing [S7.12-1]", async () => {
  const { end, done, asked } = await run(
    [feed("e.1"), list("c1", "a"), list(null, "b"), feed("e.9", ...CHANGES), message("c"), message("a"), message("s")],
    "e.9",
  );
  expect(done).toEqual([
    "message a",
    "message b",
    "position e.1",
    "message c",
    "message a",
    "moved a to Work",
    "flags b false",
    "gone b",
    "gone d",
    "message s",
    "position e.9",
  ]);
  expect(end).toBe("stopped");
  expect(asked.slice(0, 4)).toEqual([
    `/api/changes?${LISTED}`,
    `/api/messages?${LISTED}`,
    `/api/messages?${LISTED}&cursor=c1`,
    `/api/changes?after=e.1&${LISTED}&wait=30`,
  ]);
});

it("searches again for an arrival that moved before it was read, and stores no position until then [S7.12-4]", async () => {
  const came = feed("e.2", event("email.received", { id: "c" }));
  const absent = problem(404, "message_not_found");
  const moved = feed("e.4", event("email.moved", { id: "c", folder: "Work" }));
  const answers = [came, absent, feed("e.3"), absent, moved, message("c")];
  const { done, asked } = await run(answers, "e.4", { position: "e.1" });
  expect(done).toEqual(["message c", "moved c to Work", "position e.4"]);
  expect(asked[2]).toBe(`/api/changes?after=e.2&${LISTED}&wait=5`);
});

it("stops searching for an arrival that was reported as gone, or that is not found", async () => {
  const came = feed("e.2", event("email.received", { id: "c" }));
  const absent = problem(404, "message_not_found");
  const gone = feed("e.3", event("email.deleted", { id: "c" }));
  expect((await run([came, absent, gone], "e.3", { position: "e.1" })).done).toEqual(["gone c", "position e.3"]);
  const late = () => (vi.setSystemTime(Date.now() + 200_000), feed("e.3")());
  expect((await run([came, absent, late, absent], "e.3", { position: "e.1" })).done).toEqual(["position e.3"]);
});

it("repeats the changes whose handler did not finish [S7.12-2]", async () => {
  const part = feed("e.3", event("email.deleted", { id: "a" }), event("email.deleted", { id: "b" }));
  const onGone = (id: string) => (id === "b" ? Promise.reject(new Error("database is down")) : Promise.resolve());
  const first = await run([part], "e.3", { position: "e.1", onGone });
  expect([first.end, first.done]).toEqual(["database is down", []]);
  const again = await run([part], "e.3", { position: "e.1" });
  expect([again.asked[0], again.done]).toEqual([
    `/api/changes?after=e.1&${LISTED}&wait=30`,
    ["gone a", "gone b", "position e.3"],
  ]);
});

it("compares with the mailbox after the feed expired [S7.12-3]", async () => {
  const answers = [problem(410, "feed_expired"), feed("e.5"), list(null, "a")];
  const { done } = await run(answers, "e.5", { position: "old.1", known: () => ["a", "z"] });
  expect(done).toEqual(["message a", "gone z", "position e.5"]);
});

it("lists again if a folder was recreated, and waits if the service is not ready", async () => {
  const answers = [
    feed("e.1"),
    list("c1", "a"),
    problem(400, "cursor_expired"),
    () => new TypeError("connection reset"),
    feed("e.2"),
    problem(503, "listing_not_ready"),
    list(null, "a"),
  ];
  expect((await run(answers, "e.2")).done).toEqual(["message a", "message a", "position e.2"]);
});

it("searches for the copy of a message that the service sent, and ignores a message that is gone", async () => {
  const sent = event("email.sent", { messageId: "<m>", outboxId: "o" });
  const answers = [feed("e.2", event("draft.changed", { id: "g" }), sent), problem(404, "message_not_found"), found()];
  const { done, asked } = await run([...answers, found("s")], "e.2", { position: "e.1" });
  expect(done).toEqual(["message s", "position e.2"]);
  expect(asked[3]).toBe("/api/search?messageId=%3Cm%3E&preview=false");
});

it("rejects if the account is not followed", async () => {
  expect((await run([problem(409, "not_followed")], "")).end).toBe("The service answered 409.");
});
