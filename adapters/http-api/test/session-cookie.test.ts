import { afterAll, describe, expect, it } from "vitest";
import { handlerOver } from "./world.ts";

const GOOGLE = {
  id: "google",
  provider: "google",
  label: null,
  issuer: null,
  tenant: null,
  clientId: "c",
  secret: { _tag: "None" },
  mode: "delegated",
  tokenUrl: null,
  scopes: null,
  servers: null,
  domains: [],
} as const;

const serviceAt = (baseUrl: string) => {
  const service = handlerOver({ baseUrl, apps: [{ app: GOOGLE, isFixed: true }] });
  afterAll(service.dispose);
  return service.call;
};

/** Returns the listed ways to sign in by consent; the service has one. */
const consents = async (call: ReturnType<typeof serviceAt>) =>
  (await call("GET", "/api/auth/providers")).json().data.map(({ id }: { readonly id: string }) => id);

const signIn = (call: ReturnType<typeof serviceAt>) =>
  call("POST", "/api/auth/login", { json: { email: "a@b.c", password: "right" } });

const belowPath = serviceAt("https://example.com/mail/");

it("limits the cookie to a base path and to https [S3.5-4] [S3.5-10] [S1.3-5]", async () => {
  const answer = await signIn(belowPath);
  expect(answer.headers.get("set-cookie")).toBe(
    "__Secure-session=sweet; Max-Age=2592000; Path=/mail; HttpOnly; Secure; SameSite=Lax",
  );
  // The header would apply to the whole origin, which another application owns.
  expect(answer.headers.get("strict-transport-security")).toBeNull();
});

describe("on https", () => {
  const call = serviceAt("https://mail.example.com");

  it("binds the cookie to this host and to https [S3.5-1] [S3.5-10]", async () => {
    const answer = await signIn(call);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toBe(
      "__Host-session=sweet; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
    expect(answer.headers.get("strict-transport-security")).toBe("max-age=31536000; includeSubDomains");
  });

  it("signs in with that cookie and no other", async () => {
    const logout = (cookie: string) =>
      call("POST", "/api/auth/logout", { headers: { cookie, "sec-fetch-site": "same-origin" } });
    expect((await logout("__Host-session=sweet")).status).toBe(200);
    expect((await logout("session=sweet")).status).toBe(401);
    expect((await logout("__Host-session=sour")).status).toBe(401);
  });

  it("refuses a page of another origin, and accepts a page of this origin [S3.5-7]", async () => {
    const logout = (origin: string) =>
      call("POST", "/api/auth/logout", { headers: { cookie: "__Host-session=sweet", origin } });
    for (const origin of [
      "http://mail.example.com",
      "https://mail.example.com.evil.test",
      "https://mail.example.com:444",
      "https://example.com",
      "null",
    ]) {
      const answer = await logout(origin);
      expect([answer.status, answer.json().code], origin).toEqual([403, "cross_site_request"]);
    }
    expect((await logout("https://mail.example.com")).status).toBe(200);
  });
});

describe("on plain http outside this machine", () => {
  const call = serviceAt("http://mail.example.com");

  it("refuses sign-in from browsers with a reason [S3.5-6]", async () => {
    const answer = await signIn(call);
    expect([answer.status, answer.json().code]).toEqual([403, "https_required"]);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  it("lists no ways to sign in by consent [S11.3-22]", async () => {
    expect(await consents(call)).toEqual([]);
    expect(await consents(belowPath)).toEqual(["google"]);
  });

  it("accepts tokens and ignores cookies [S3.5-6]", async () => {
    const cookie = "session=sweet; __Host-session=sweet";
    expect((await call("GET", "/api/folders", { headers: { cookie } })).status).toBe(401);
    expect((await call("GET", "/api/folders", { token: "good", headers: { cookie } })).status).toBe(200);
  });
});

describe.each(["http://localhost:3000", "http://127.0.0.1:8080", "http://[::1]:3000"])("on %s", (baseUrl) => {
  const call = serviceAt(baseUrl);

  it("omits cookie attributes that browsers refuse there [S3.5-5]", async () => {
    const answer = await signIn(call);
    expect(answer.headers.get("set-cookie")).toBe("session=sweet; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax");
  });
});
