import { expect, expectTypeOf, test } from "vitest";
import { ApiProblem, browserClient } from "../src/browser.ts";
import { json } from "./scripted.ts";

const answering = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  const asked: Array<{ readonly url: string; readonly init: RequestInit }> = [];
  const seen: Array<ApiProblem> = [];
  const client = browserClient({
    onUnauthorized: (problem) => seen.push(problem),
    fetch: async (url, init) => {
      asked.push({ url: String(url), init: init ?? {} });
      return json(status, body, headers);
    },
  });
  return { client, asked, seen };
};

const rejection = (asking: Promise<unknown>): Promise<ApiProblem> =>
  asking.then(
    () => expect.fail("it succeeded"),
    (problem: ApiProblem) => problem,
  );

test("a call sends its method, its path with the parameters in it, and the given parameters of the query", async () => {
  const { client, asked } = answering(200, { ok: true });
  await client("DELETE /api/settings/folders/:id", { params: { id: "f_a/b" }, query: { moveTo: "inbox" } });
  expect(asked[0]).toMatchObject({
    url: "/api/settings/folders/f_a%2Fb?moveTo=inbox",
    init: { method: "DELETE", credentials: "same-origin" },
  });
  expect(asked[0]?.init.body).toBeUndefined();
});

test("a payload goes as JSON, and its answer is of the contract's type", async () => {
  const { client, asked } = answering(200, { ok: true, data: { email: "a@b.test" } });
  const answer = await client("POST /api/auth/login", { payload: { email: "a@b.test", password: "p" } });
  expectTypeOf(answer.data.email).toEqualTypeOf<string>();
  expect(asked[0]?.init.headers).toMatchObject({ "content-type": "application/json" });
  expect(JSON.parse(String(asked[0]?.init.body))).toEqual({ email: "a@b.test", password: "p" });
});

test("a key goes in the header, and the cookie stays out of the request", async () => {
  const sent: Array<RequestInit> = [];
  const withKey = browserClient({
    bearer: () => "adm_1",
    fetch: async (_, init) => {
      sent.push(init ?? {});
      return json(200, { ok: true, data: [] });
    },
  });
  await withKey("GET /api/keys");
  expect(sent[0]).toMatchObject({ credentials: "omit", headers: { authorization: "Bearer adm_1" } });
});

test("an operation that the contract does not have is a type error", () => {
  const { client } = answering(200, {});
  // @ts-expect-error no such path
  void client("GET /api/folder");
  // @ts-expect-error the parameter is missing
  void client("DELETE /api/auth/sessions/:id");
  // @ts-expect-error a folder's name is text
  void client("POST /api/settings/folders", { payload: { name: 1 } });
});

test("a problem has its code, its fields and the time of the next request", async () => {
  const body = {
    title: "The request is not valid.",
    detail: "name is not",
    code: "invalid_request",
    requestId: "r-1",
    errors: [{ field: "name", message: "must not be empty" }, "noise"],
    checks: { imap: { ok: true } },
  };
  const { client, seen } = answering(400, body, { "retry-after": "7" });
  const problem = await rejection(client("GET /api/folders"));
  expect(problem).toMatchObject({ status: 400, code: "invalid_request", message: "name is not", requestId: "r-1" });
  expect(problem.fault("name")).toBe("must not be empty");
  expect(problem.retryAfter).toBe(7);
  expect(problem.member("checks")).toEqual(body.checks);
  expect(problem.member("others")).toBeUndefined();
  expect(seen).toHaveLength(0);
});

test("reports a 401 to `onUnauthorized`, and an answer that is no problem as the problem `unknown`", async () => {
  const { client, seen } = answering(401, "<html>");
  const problem = await rejection(client("GET /api/auth/session"));
  expect(problem).toMatchObject({ status: 401, code: "unknown", retryAfter: null });
  expect(seen).toEqual([problem]);
});

test("a missing answer is the problem offline; an abort stays an abort", async () => {
  const down = browserClient({ fetch: () => Promise.reject(new TypeError("fetch failed")) });
  expect(await rejection(down("GET /api/folders"))).toMatchObject({ status: 0, code: "offline" });
  const abort = new AbortController();
  abort.abort();
  await expect(down("GET /api/folders", { signal: abort.signal })).rejects.toThrow(TypeError);
});
