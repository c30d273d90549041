import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyDraft } from "../src/compose/draft/draft.ts";
import { DraftSaver } from "../src/compose/draft/DraftSaver.ts";
import { keptDrafts } from "../src/kept/kept-drafts.ts";
import { openNew } from "../src/compose/opening.ts";

const ACCOUNT = "demo@postern.test";

interface Call {
  readonly call: string;
  readonly version: string | undefined;
  readonly body: any;
}

let calls: Array<Call> = [];
/** Answers a call with a status and a body; `null`: the service cannot be reached. */
let answer: (call: Call) => readonly [number, object] | null;

const record = (version: string, body: any = {}) => ({
  id: "dft_1",
  version,
  state: "draft",
  reason: null,
  savedAt: "2026-01-02T03:04:05.678Z",
  from: null,
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: "",
  html: null,
  attachments: [],
  inReplyTo: null,
  references: [],
  headers: {},
  trackOpens: false,
  sendAt: null,
  expiresAfter: null,
  replyToMessageId: null,
  force: false,
  ...body,
  ...(typeof body.to === "string" ? { to: [], cc: [], bcc: [] } : {}),
});
const saved = ({ body }: Call) => [200, { ok: true, data: record(String(calls.length), body) }] as const;
const changed = [409, { code: "draft_changed", title: "The draft was changed meanwhile" }] as const;

const storage = (): Storage => {
  const items = new Map<string, string>();
  return new Proxy(
    {
      getItem: (name: string) => items.get(name) ?? null,
      setItem: (name: string, value: string) => void items.set(name, value),
      removeItem: (name: string) => void items.delete(name),
    } as Storage,
    { ownKeys: () => [...items.keys()], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }) },
  );
};

beforeEach(() => {
  calls = [];
  answer = saved;
  vi.useFakeTimers();
  vi.stubGlobal("localStorage", storage());
  localStorage.setItem("postern-writes", "plain");
  vi.stubGlobal("sessionStorage", storage());
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    const body = init.body == null ? undefined : JSON.parse(String(init.body));
    const call = { call: `${init.method} ${url}`, version: headers["if-match"], body };
    calls.push(call);
    const answered = answer(call);
    if (answered === null) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(answered[1]), {
      status: answered[0],
      headers: { "content-type": "application/json" },
    });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const type = async (saver: DraftSaver, text: string, millis = 100): Promise<void> => {
  saver.change({ text });
  await vi.advanceTimersByTimeAsync(millis);
};

test("saves 3 seconds after the last key, and then at most every 15 seconds", async () => {
  const saver = new DraftSaver(ACCOUNT, openNew([]));
  for (const text of ["a", "ab", "abc"]) await type(saver, text, 2_900);
  expect(calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(calls.map(({ call, body }) => [call, body.text])).toEqual([["POST /api/drafts", "abc"]]);
  expect(saver.state()).toMatchObject({ save: { is: "saved" }, stored: { id: "dft_1", version: "1" } });
  for (let second = 0; second < 60; second++) await type(saver, `abc ${second}`, 1_000);
  expect(calls.length).toBeLessThanOrEqual(5);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(calls.at(-1)).toMatchObject({ call: "PUT /api/drafts/dft_1", body: { text: "abc 59" } });
  expect(calls.at(-1)?.version).toBe(String(calls.length - 1));
});

test("keeps what the service does not have in the browser, and saves it when the service answers", async () => {
  const saver = new DraftSaver(ACCOUNT, openNew([]));
  answer = () => null;
  await type(saver, "on a train", 4_000);
  expect(saver.state().save).toMatchObject({ is: "failed", willRetry: true });
  expect(keptDrafts(ACCOUNT)).toMatchObject([{ stored: null, draft: { text: "on a train" } }]);
  answer = (one) => (one.call.startsWith("GET") ? [200, { ok: true, data: [] }] : saved(one));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(saver.state().save.is).toBe("saved");
  expect(keptDrafts(ACCOUNT)).toEqual([]);
});

test("creates one draft when the answer to the first request was lost", async () => {
  const saver = new DraftSaver(ACCOUNT, openNew([]));
  const stored: Array<object> = [];
  answer = ({ call, body }) => {
    if (call === "GET /api/drafts") return [200, { ok: true, data: stored }];
    if (call.startsWith("POST")) stored.push(record("1", body));
    return call.startsWith("POST") ? null : [200, { ok: true, data: { ...record("2"), ...stored[0] } }];
  };
  await type(saver, "one", 3_100);
  saver.change({ text: "one, and more" });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stored).toHaveLength(1);
  expect(calls.at(-1)).toMatchObject({ call: "PUT /api/drafts/dft_1", body: { text: "one, and more" } });
  expect(saver.state().save.is).toBe("saved");
});

test("a save whose answer was lost is not a conflict", async () => {
  const saver = new DraftSaver(ACCOUNT, openNew([]));
  await type(saver, "one", 4_000);
  answer = ({ call }) => (call.startsWith("PUT") ? changed : [200, { ok: true, data: record("7", { text: "two" }) }]);
  await type(saver, "two", 20_000);
  expect(saver.state()).toMatchObject({ save: { is: "saved" }, stored: { version: "7" } });
});

test("a draft that was changed elsewhere is not replaced, and each choice saves this version", async () => {
  for (const [choice, call] of [
    ["replace", "PUT /api/drafts/dft_1"],
    ["keepBoth", "POST /api/drafts"],
  ] as const) {
    answer = saved;
    const saver = new DraftSaver(ACCOUNT, openNew([]));
    await type(saver, "one", 4_000);
    answer = (one) =>
      one.call.startsWith("PUT") ? changed : [200, { ok: true, data: record("9", { text: "theirs" }) }];
    await type(saver, "mine", 20_000);
    expect(saver.state().save).toMatchObject({ is: "changed", theirs: { text: "theirs" } });
    const before = calls.length;
    await type(saver, "mine, still", 120_000);
    expect(await saver.flush()).toBe(false);
    expect(calls.length).toBe(before);
    expect(keptDrafts(ACCOUNT)).toMatchObject([{ draft: { text: "mine, still" } }]);
    answer = saved;
    expect(await saver.resolve(choice)).toBe(true);
    expect(calls.at(-1)).toMatchObject({ call, body: { text: "mine, still" } });
    if (choice === "replace") expect(calls.at(-1)?.version).toBe("9");
    expect(keptDrafts(ACCOUNT)).toEqual([]);
  }
});

test("sends the version that is shown; a repeat after a lost answer saves nothing in between", async () => {
  const saver = new DraftSaver(ACCOUNT, { ...openNew([]), draft: { ...emptyDraft(), to: "a@b.test" } });
  saver.change({ text: "now" });
  answer = (call) => (call.call.endsWith("/send") ? null : saved(call));
  await expect(saver.send("2026-01-02T03:04:15Z")).rejects.toMatchObject({ status: 0 });
  answer = () => [200, { ok: true, id: "o_1", status: "scheduled", rejected: [] }];
  expect(await saver.send("2026-01-02T03:04:30Z")).toMatchObject({ id: "o_1", draftId: "dft_1" });
  expect(calls.map(({ call }) => call)).toEqual([
    "POST /api/drafts",
    "POST /api/drafts/dft_1/send",
    "POST /api/drafts/dft_1/send",
  ]);
  expect(calls[0]?.body).toMatchObject({ text: "now", sendAt: "2026-01-02T03:04:15Z" });
  expect(keptDrafts(ACCOUNT)).toEqual([]);
});
