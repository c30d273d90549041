import { expect, it } from "vitest";
import { post, signIn, started } from "./server-process.ts";

const ADMIN_KEY = "admin-key-of-the-tests-0123456789abcdef";
const CASEY = "casey@simple.test";
const JORDAN = "jordan@strict.test";

it("the sandbox has providers of its own: discovery, causes and accounts are tried without a network [S10.4-4]", async () => {
  const { base } = await started({ ADMIN_KEY });
  const ask = async (path: string, json: object) => {
    const response = await post(base, path, json, ADMIN_KEY);
    return { status: response.status, body: (await response.json()) as any };
  };
  const add = (email: string, more: object) => ask("/api/accounts", { email, ...more });

  // The deployment's own accounts work as before.
  expect((await signIn(base)).token).toBeTypeOf("string");
  const own = await ask("/api/accounts/discover", { email: "demo@postern.test" });
  expect(own.body.data.candidates).toMatchObject([{ source: "operator", imap: { host: "imap.postern.test" } }]);

  const found = await ask("/api/accounts/discover", { email: JORDAN });
  const signIns = [{ kind: "app_password", helpPage: "https://help.strict.test/app-passwords" }];
  expect(found.body.data.candidates[0]).toMatchObject({
    source: "autoconfig",
    imap: { host: "imap.strict.test" },
    signIn: signIns,
  });
  const refused = await add(JORDAN, { password: "demo" });
  expect([refused.status, refused.body.code]).toEqual([422, "account_unverified"]);
  expect(refused.body.checks).toMatchObject({
    imap: { cause: "app_password_required" },
    smtp: { cause: "app_password_required" },
  });
  expect((await add(JORDAN, { password: "wrong" })).body.checks.imap.cause).toBe("auth_refused");
  const strict = await add(JORDAN, { password: "demo-app-password" });
  expect(strict.body.data).toMatchObject({ state: "active", imap: { host: "imap.strict.test" } });

  const at = (host: string, port = 993) => ({
    imap: { host, port, security: "tls" },
    smtp: { host: "smtp.simple.test", port: 587, security: "starttls" },
  });
  for (const [servers, cause] of [
    [at("imap.nowhere.test"), "not_found"],
    [at("imap.simple.test", 25), "address_denied"],
    [at("imap.simple.test", 143), "refused"],
    [at("imap.strict.test"), "auth_refused"],
  ] as const) {
    const { body } = await add(CASEY, { password: "demo", ...servers });
    expect(body.checks.imap.cause).toBe(cause);
  }

  // A person signs in by discovery, and an application manages the account afterwards.
  const session = await post(base, "/api/auth/mobile-login", { email: CASEY, password: "demo" });
  const { token } = (await session.json()) as { readonly token: string };
  const { body } = await add(CASEY, { password: "demo" });
  expect(body.data).toMatchObject({ managed: true, smtp: { host: "smtp.simple.test", security: "starttls" } });
  expect((await post(base, "/api/send", { to: "demo@postern.test", subject: "Hi", text: "x" }, token)).status).toBe(
    200,
  );
});
