import { Effect } from "effect";
import { afterAll, describe, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

const { call, logs, dispose } = handlerOver();
afterAll(dispose);

const login = (body: string, contentType = "application/json") =>
  call("POST", "/api/auth/mobile-login", { body, headers: { "content-type": contentType } });

const expectProblem = (answer: Awaited<ReturnType<typeof call>>, status: number, code: string) => {
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  const problem = answer.json();
  expect(problem).toMatchObject({ type: `urn:postern:problem:${code}`, status, ok: false, code });
  expect(answer.status).toBe(status);
  expect(problem.title).toEqual(expect.any(String));
  expect(problem.requestId).toBe(answer.headers.get("x-request-id"));
  if (status === 400) expect(problem.errors.length).toBeGreaterThan(0);
  return problem;
};

describe("failures outside the handlers", () => {
  it("answers an unknown path with 404 [S2.3-1]", async () =>
    void expectProblem(await call("GET", "/api/nothing"), 404, "not_found"));
  it("answers a path that does not decode with 404", async () =>
    void expectProblem(await call("GET", "/api/%zz"), 404, "not_found"));

  it("answers a wrong method with 405 and Allow, and OPTIONS with the same list [S2.3-1]", async () => {
    const refused = await call("DELETE", "/api/inbox", { token: "good" });
    expectProblem(refused, 405, "method_not_allowed");
    expect(refused.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    const options = await call("OPTIONS", "/api/auth/mobile-login");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "OPTIONS, POST"]);
  });

  it("answers a too large body with 413 and the limit [S2.3-1]", async () => {
    const answer = await login(JSON.stringify({ email: "a@b.c", password: "y".repeat(2 << 20) }));
    expect(expectProblem(answer, 413, "payload_too_large").detail).toContain("1048576");
  });

  it("answers another media type with 415 [S3.5-8]", async () => {
    expectProblem(await login("email=a", "application/x-www-form-urlencoded"), 415, "unsupported_media_type");
    expectProblem(await login("<a/>", "text/xml"), 415, "unsupported_media_type");
  });

  it("answers a defect with 500 and logs its cause [S2.3-2] [S2.3-7]", async () => {
    const answer = await call("GET", "/api/inbox", { token: "good" });
    expectProblem(answer, 500, "internal_error");
    expect(answer.text).not.toContain("secret of the inside");
    expect(logs.join()).toContain("secret of the inside");
  });

  it.each([
    ["{", "body"],
    ["", "body"],
    ["[]", "body"],
    ["null", "body"],
    ["{}", "email"],
    ['{"email":1,"password":"x"}', "email"],
    ['{"email":"a@b.c"}', "password"],
    ['{"email":"a@b.c","password":""}', "password"],
    ['{"email":"a\\u0000@b.c","password":"x"}', "email"],
    ['{"email":"a@b.c","password":"\\ud800"}', "password"],
  ])("answers the body %s with 400 naming %s", async (body, field) => {
    const problem = expectProblem(await login(body), 400, "invalid_request");
    expect(problem.errors.map((error: { field: string }) => error.field)).toContain(field);
  });

  it("answers a password of 1025 characters with 400 and the field", async () => {
    const problem = expectProblem(
      await login(JSON.stringify({ email: "a@b.c", password: "x".repeat(1025) })),
      400,
      "invalid_request",
    );
    expect(problem.errors).toEqual([{ field: "password", message: "must be at most 1024 characters" }]);
  });

  it("names every invalid field and repeats no value [S2.3-2]", async () => {
    const answer = await login('{"email":5,"password":{"hunter2":1}}');
    expect(answer.json().errors.map((error: { field: string }) => error.field)).toEqual(["email", "password"]);
    expect(answer.text).not.toContain("hunter2");
  });

  it.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=NaN",
    "page=abc",
    "page=",
    "page=2147483648",
    "page=1&page=2",
    "limit=0",
    "limit=x",
    "folder=",
    "cursor=",
    "folder=%00",
  ])("answers ?%s with 400 [S5.1-2]", async (query) => {
    const problem = expectProblem(await call("GET", `/api/inbox?${query}`, { token: "good" }), 400, "invalid_request");
    expect(problem.errors[0].field).toBe(query.split("=")[0]);
  });
});

describe("credentials", () => {
  it.each([undefined, "bad", "", "good."])("answers token %j with 401 and a challenge [S3.2-6]", async (token) => {
    const answer = await call("GET", "/api/folders", token === undefined ? {} : { token });
    expectProblem(answer, 401, "unauthorized");
    expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer /);
  });

  it("answers another scheme with 401 [S3.2-6]", async () => {
    const answer = await call("GET", "/api/folders", { headers: { authorization: "Basic Z29vZA==" } });
    expectProblem(answer, 401, "unauthorized");
  });

  it("admits a valid token", async () => {
    const answer = await call("GET", "/api/folders", { token: "good" });
    expect([answer.status, answer.json()]).toEqual([200, { ok: true, folders: [] }]);
  });

  it("distinguishes refused, unreachable and slow mail servers [S3.2-4] [S2.3-5] [S2.4-1]", async () => {
    const as = (email: string) => call("POST", "/api/auth/mobile-login", { json: { email, password: "x" } });
    expectProblem(await as("who@b.c"), 401, "invalid_credentials");
    for (const code of ["app_password_required", "basic_auth_disabled", "imap_disabled", "oauth_required"]) {
      expectProblem(await as(`${code}@b.c`), 401, code);
    }
    const down = await as("down@b.c");
    expectProblem(down, 502, "mail_server_unreachable");
    expect(Number(down.headers.get("retry-after"))).toBeGreaterThan(0);
    const slow = await as("slow@b.c");
    expectProblem(slow, 504, "mail_server_timeout");
    expect(Number(slow.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await as("a@b.c")).json()).toEqual({ ok: true, token: "t", refreshToken: "r", expiresIn: 3600 });
  });
});

describe("every response", () => {
  it("carries the client's request id if it is safe to log, otherwise a new one [S2.3-4]", async () => {
    const id = async (given: string) =>
      (await call("GET", "/health/live", { headers: { "x-request-id": given } })).headers.get("x-request-id");
    expect(await id("client-id-42")).toBe("client-id-42");
    for (const unfit of ["short", "a b c d e f g h", "x".repeat(129), "semi;colon;here"]) {
      expect(await id(unfit)).toBe("made-here-0001");
    }
  });

  it("forbids sniffing, framing, scripts and caching [S3.5-10] [S5.1-14]", async () => {
    const { headers } = await call("GET", "/health/live");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("strict-transport-security")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("pages outside the contract", () => {
  it("report that the service is not ready", async () => {
    const starting = handlerOver({ ready: false });
    const answer = await starting.call("GET", "/health/ready");
    expectProblem(answer, 503, "not_ready");
    expect(answer.json().unreachable).toEqual(["database"]);
    expect((await starting.call("GET", "/health/live")).status).toBe(200);
    await starting.dispose();
    expect((await call("GET", "/health/ready")).json()).toEqual({ ok: true, status: "ready" });
    const alone = handlerOver({ unreachable: ["smtp"] });
    expect((await alone.call("GET", "/health/ready")).json()).toEqual({
      ok: true,
      status: "ready",
      unreachable: ["smtp"],
    });
  });

  it("show the public keys as a JWK Set [S3.2-9] [S2.1-3]", async () => {
    expect((await call("GET", "/.well-known/jwks.json")).json()).toEqual({ keys: [{ kty: "OKP", kid: "k1" }] });
  });
});

it("answers HEAD like GET", async () => {
  const folders = () => Effect.succeed([]);
  const world = handlerOver({ folders });
  expect((await world.call("HEAD", "/api/folders", { token: "good" })).status).toBe(200);
  await world.dispose();
});
