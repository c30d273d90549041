import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type ApiProblem, createClient, type RetryOptions } from "../src/index.ts";
import { type Answers, json, scripted } from "./scripted.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const MAIL = { payload: { to: "a@b.test", subject: "s", text: "t" } };
const lost = () => new TypeError("fetch failed");
const fine = () => json(200, { ok: true, folders: [] });
const refusal = (status: number, retryAfter?: string) => () =>
  json(status, { code: "busy", title: "Busy" }, retryAfter === undefined ? {} : { "retry-after": retryAfter });

const clientOf = (answers: Answers, options: RetryOptions = {}) => {
  const { fetch, asked } = scripted(...answers);
  return { postern: createClient({ baseUrl: "http://postern.test", fetch, ...options }), asked };
};

/** Runs all timers, and returns the outcome and the time that passed. */
const outcome = async (asking: Promise<unknown>) => {
  const from = Date.now();
  const settled = asking.then(
    () => "done",
    (problem: ApiProblem) => `${problem.status} ${problem.code}`,
  );
  await vi.runAllTimersAsync();
  return { result: await settled, millis: Date.now() - from };
};

it("repeats safe requests after a lost connection, also one lost within the answer", async () => {
  const torn = () => {
    const body = new ReadableStream({ start: (controller) => controller.error(lost()) });
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  const { postern, asked } = clientOf([lost, torn, fine]);
  expect((await outcome(postern("GET /api/folders"))).result).toBe("done");
  expect(asked).toHaveLength(3);
  const removal = clientOf([lost, fine]);
  await outcome(removal.postern("DELETE /api/messages/:id", { params: { id: "m_1" } }));
  expect(removal.asked.map(({ method }) => method)).toEqual(["DELETE", "DELETE"]);
});

it("sends one key with all attempts of a send, another with the next send, and the caller's key if given", async () => {
  const { postern, asked } = clientOf([lost, refusal(503), refusal(409, "1"), fine]);
  await outcome(postern("POST /api/send", MAIL));
  await outcome(postern("POST /api/send", MAIL));
  await outcome(postern("POST /api/send", { ...MAIL, headers: { "idempotency-key": "mine" } }));
  const keys = asked.map(({ headers }) => headers.get("idempotency-key"));
  expect(keys[0]).toMatch(/^[\w-]{36}$/);
  expect(keys.slice(0, 4)).toEqual([keys[0], keys[0], keys[0], keys[0]]);
  expect(keys[4]).toMatch(/^[\w-]{36}$/);
  expect(keys[4]).not.toBe(keys[0]);
  expect(keys[5]).toBe("mine");
  expect(new Set(asked.slice(0, 4).map(({ body }) => body.toString())).size).toBe(1);
});

it("repeats other POSTs after a 429, and not after a lost connection or a 503", async () => {
  const create = { payload: { name: "Bills" } };
  for (const answer of [lost, refusal(503, "1")]) {
    const { postern, asked } = clientOf([answer, fine]);
    expect((await outcome(postern("POST /api/settings/folders", create))).result).not.toBe("done");
    expect(asked).toHaveLength(1);
  }
  const { postern } = clientOf([refusal(429, "2"), fine]);
  expect((await outcome(postern("POST /api/settings/folders", create))).result).toBe("done");
});

it("waits for Retry-After plus a random time", async () => {
  const waits = new Set<number>();
  for (let n = 0; n < 5; n++) {
    const { millis } = await outcome(clientOf([refusal(429, "7"), fine]).postern("GET /api/folders"));
    expect(millis).toBeGreaterThanOrEqual(7_250);
    expect(millis).toBeLessThanOrEqual(7_500);
    waits.add(millis);
  }
  expect(waits.size).toBeGreaterThan(1);
});

it("gives up after three retries, or the number in its options, with the last answer", async () => {
  for (const [options, tries] of [
    [{}, 4],
    [{ retries: 1 }, 2],
    [{ retries: 0 }, 1],
  ] as const) {
    const { postern, asked } = clientOf([refusal(503)], options);
    const { result, millis } = await outcome(postern("GET /api/folders"));
    expect(result).toBe("503 busy");
    expect(asked).toHaveLength(tries);
    expect(millis).toBeLessThan(4_000);
  }
  const { postern } = clientOf([lost]);
  expect((await outcome(postern("GET /api/folders"))).result).toBe("0 offline");
});

it("does not wait for a Retry-After beyond its limit", async () => {
  const { postern, asked } = clientOf([refusal(429, "31"), fine]);
  const problem = await postern("GET /api/folders").catch((error: unknown) => error as ApiProblem);
  expect(problem).toMatchObject({ status: 429, retryAfter: 31 });
  expect(asked).toHaveLength(1);
  const patient = clientOf([refusal(429, "31"), fine], { mostRetryAfterMillis: 60_000 });
  expect((await outcome(patient.postern("GET /api/folders"))).result).toBe("done");
});

it("does not retry permanent refusals", async () => {
  for (const status of [400, 401, 404, 409, 422, 500]) {
    const { postern, asked } = clientOf([refusal(status), fine]);
    expect((await outcome(postern("GET /api/folders"))).result).toBe(`${status} busy`);
    expect(asked).toHaveLength(1);
  }
});

it("ends the wait when the signal is aborted", async () => {
  const abort = new AbortController();
  const { postern, asked } = clientOf([refusal(503, "20"), fine]);
  const asking = postern("GET /api/folders", { signal: abort.signal });
  const rejected = expect(asking).rejects.toThrow("enough");
  await vi.advanceTimersByTimeAsync(1_000);
  abort.abort(new Error("enough"));
  await rejected;
  expect(asked).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

it("repeats a refresh whose answer was lost", async () => {
  const { fetch, asked } = scripted(
    () => json(401, { code: "unauthorized" }),
    lost,
    () => json(200, { ok: true, token: "t2", refreshToken: "r2", expiresIn: 1 }),
    fine,
  );
  const tokens = { token: "t1", refreshToken: "r1" };
  const postern = createClient({ baseUrl: "http://postern.test", fetch, tokens });
  expect((await outcome(postern("GET /api/folders"))).result).toBe("done");
  expect(asked.map(({ path }) => path)).toEqual([
    "/api/folders",
    "/api/auth/refresh",
    "/api/auth/refresh",
    "/api/folders",
  ]);
  expect(asked.at(-1)!.headers.get("authorization")).toBe("Bearer t2");
});
