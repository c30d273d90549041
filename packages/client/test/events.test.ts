import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClient, type MailEvent } from "../src/index.ts";
import { type Answers, json, scripted } from "./scripted.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const ACCOUNT = { id: "acc_1", email: "demo@postern.test" };
const event = (id: string) =>
  `id: ${id}\nevent: email.sent\ndata: ${JSON.stringify({ id, event: "email.sent", timestamp: "t", account: ACCOUNT, data: {} })}\n\n`;

/** A stream that sends the chunks and then ends, breaks or falls silent. */
const stream = (end: "ends" | "breaks" | "falls silent", ...chunks: ReadonlyArray<string>) => {
  const state = { cancelled: false };
  const answer = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
          if (end === "ends") controller.close();
        },
        pull: (controller) => {
          if (end === "breaks") controller.error(new TypeError("terminated"));
        },
        cancel: () => {
          state.cancelled = true;
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  return { answer, state };
};

const follow = (answers: Answers, options: Parameters<ReturnType<typeof createClient>["events"]>[0] = {}) => {
  const { fetch, asked } = scripted(...answers);
  const events = createClient({ baseUrl: "http://postern.test", fetch, retries: 0 }).events(options);
  const next = async (): Promise<MailEvent | undefined> => {
    const read = events.next();
    read.catch(() => {});
    await vi.advanceTimersByTimeAsync(200_000);
    const { value } = await read;
    return value ?? undefined;
  };
  return { next, events, lastIds: () => asked.map(({ headers }) => headers.get("last-event-id")) };
};

it.each(["ends", "breaks", "falls silent"] as const)("resumes after the last event when the stream %s", async (end) => {
  const { next, lastIds } = follow([
    stream(end, "id: start\n\n", event("one"), event("two").slice(0, 20)).answer,
    stream(end, event("two")).answer,
    stream(end).answer,
    stream("falls silent", event("three")).answer,
  ]);
  expect([(await next())?.id, (await next())?.id, (await next())?.id]).toEqual(["one", "two", "three"]);
  expect(lastIds()).toEqual([null, "one", "two", "two"]);
});

it("resumes after the start when the stream is cut before its first event, or after the id that is given", async () => {
  const { next, lastIds } = follow([stream("ends", "id: start\n\n").answer, stream("ends", event("one")).answer]);
  expect((await next())?.id).toBe("one");
  expect(lastIds()).toEqual([null, "start"]);
  const given = follow([stream("ends", event("next")).answer], { lastEventId: "before" });
  await given.next();
  expect(given.lastIds()).toEqual(["before"]);
});

it("keeps a connection that sends comments", async () => {
  let beat: ReturnType<typeof setInterval> | undefined;
  const beating = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          beat = setInterval(() => controller.enqueue(new TextEncoder().encode(":\n\n")), 15_000);
          setTimeout(() => controller.enqueue(new TextEncoder().encode(event("late"))), 80_000);
        },
      }),
    );
  const { next, lastIds } = follow([beating]);
  expect((await next())?.id).toBe("late");
  expect(lastIds()).toHaveLength(1);
  clearInterval(beat);
});

it("waits for the caller's handling of a gap before it continues", async () => {
  const steps: Array<string> = [];
  const onGap = async () => {
    await new Promise((done) => setTimeout(done, 100));
    steps.push("listed");
  };
  const { next } = follow([stream("ends", "event: gap\ndata: {}\n\n", event("one")).answer], { onGap });
  steps.push((await next())!.id);
  expect(steps).toEqual(["listed", "one"]);
});

it("reads messages in chunks of any size, with any line ends", async () => {
  const text = `: hello\r\n\r\n${event("Grüße").replaceAll("\n", "\r\n")}${event("two")}`;
  const bytes = new TextEncoder().encode(text);
  const body = () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        },
      }),
    );
  const { next } = follow([body]);
  expect([(await next())?.id, (await next())?.id]).toEqual(["Grüße", "two"]);
});

it("rejects if the first connection fails or a later one is refused", async () => {
  const down = () => json(503, { code: "not_ready" });
  await expect(follow([down]).next()).rejects.toMatchObject({ status: 503 });
  const open = stream("ends", event("one")).answer;
  const { next } = follow([
    open,
    down,
    () => new TypeError("lost"),
    down,
    open,
    () => json(401, { code: "unauthorized" }),
  ]);
  expect([(await next())?.id, (await next())?.id]).toEqual(["one", "one"]);
  await expect(next()).rejects.toMatchObject({ status: 401, code: "unauthorized" });
});

it("closes the connection when the caller leaves the loop", async () => {
  const { answer, state } = stream("falls silent", event("one"));
  const { fetch } = scripted(answer);
  for await (const { id } of createClient({ baseUrl: "http://postern.test", fetch }).events()) {
    expect(id).toBe("one");
    break;
  }
  await vi.advanceTimersByTimeAsync(0);
  expect(state.cancelled).toBe(true);
});

it("rejects with the reason of the signal", async () => {
  const abort = new AbortController();
  const { next, events } = follow([stream("ends", event("one")).answer], { signal: abort.signal });
  await next();
  const waiting = expect(events.next()).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(100);
  abort.abort(new Error("enough"));
  await waiting;
});
