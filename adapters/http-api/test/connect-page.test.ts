import type { ServerCandidate } from "@postern/core/accounts";
import { LinkExpired } from "@postern/core/oauth";
import { Effect } from "effect";
import { expect, it, onTestFinished } from "vitest";
import { handlerOver, type Stubs } from "./world.ts";

const LINK: NonNullable<Stubs["link"]> = {
  _tag: "Link",
  id: "l",
  expiresAt: 1,
  request: { address: null, app: null, tags: null, reach: null },
  redirectUrl: "https://app.example/",
  state: null,
};

const at = (host: string) => ({ host, port: 993, tls: "implicit", origin: "account" }) as const;
const candidate = (over: Partial<ServerCandidate>): ServerCandidate => ({
  source: "srv",
  reason: "",
  provider: undefined,
  imap: at("imap.x.test"),
  smtp: at("smtp.x.test"),
  signIn: [],
  ...over,
});

/** Posts an address to the page of a link. */
const asked = async (found: ServerCandidate, email: string) => {
  const { call, dispose } = handlerOver({ link: LINK, found: () => found });
  onTestFinished(dispose);
  const body = new URLSearchParams({ email });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status, text } = await call("POST", "/connect/s", { body, headers });
  return { status, text, fault: /id="fault"[^>]*>([^<]*)</.exec(text)?.[1] };
};

it("a connect page names the server that gets the password, and explains app passwords of a provider [S11.3-31]", async () => {
  const own = await asked(candidate({}), "a@x.test");
  expect(own.status).toBe(200);
  expect(own.text).toContain("The password is sent to imap.x.test, smtp.x.test");
  expect(own.text).not.toContain("app password");
  const gmail = candidate({
    source: "known_provider",
    provider: { name: "Gmail" } as never,
    signIn: [{ kind: "app_password", helpPage: "https://help.example/app" }],
  });
  const { text } = await asked(gmail, "a@gmail.com");
  expect(text).toContain("Make an app password at Gmail");
  expect(text).toContain('href="https://help.example/app"');
  expect(text.indexOf("app password")).toBeLessThan(text.indexOf('type="password"'));
});

it("a connect page asks for no password if the servers are a guess [S11.3-33]", async () => {
  const { status, text, fault } = await asked(candidate({ source: "guess" }), "a@no-such-domain.invalid");
  expect([status, fault]).toEqual([400, "No mail server was found for no-such-domain.invalid. Check the address."]);
  expect(text).toContain('value="a@no-such-domain.invalid"');
  expect(text).toContain('aria-invalid="true" aria-describedby="fault"');
  expect(text).not.toContain('type="password"');
});

it("a connect page says that the link was used in another browser meanwhile", async () => {
  const { call, dispose } = handlerOver({ link: LINK, connect: () => Effect.fail(new LinkExpired()) });
  onTestFinished(dispose);
  const body = new URLSearchParams({ email: "a@x.test", password: "right" });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { status, text } = await call("POST", "/connect/s", { body, headers });
  expect(status).toBe(410);
  expect(text).not.toContain('type="password"');
});
