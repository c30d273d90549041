import { type Harness, HARNESS_URL } from "@postern/harness";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";
import { asAdmin, asKey, makeKey } from "./key-world.ts";

export const OWNER = AccountId("owner@postern.test");
export const SHARED = AccountId("shared@postern.test");
export const APP = "corp";
export const DONE = "https://app.example/done";

/** Registers an app at the provider and in the service, with mailboxes that its tokens open; returns a key. */
export const withApp = Effect.fnUntraced(function* (world: Harness) {
  world.provider.register("postern", "secret");
  for (const address of [OWNER, SHARED]) world.mail.addAccount(address, "no program knows it");
  yield* addApp(world, "secret");
  return (yield* makeKey(world)).key;
});

export const addApp = (world: Harness, clientSecret: string) =>
  asAdmin(world, "POST", "/api/oauth/apps", {
    id: APP,
    provider: "oidc",
    issuer: world.provider.issuer,
    clientId: "postern",
    clientSecret,
  });

/** Makes an account with a grant that an application got by itself. */
export const addAccount = (world: Harness, key: string, email: string) =>
  asKey(world, key, "POST", "/api/accounts", {
    json: { email, grant: { app: APP, refreshToken: world.provider.refreshToken(email) } },
  });

/** Returns an account's state and the code of its reason. */
export const stateOf = (world: Harness, key: string, account: string) =>
  Effect.map(asKey(world, key, "GET", `/api/accounts/${account}`), ({ body }) => [
    body.data.state as string,
    (body.data.reason?.code ?? null) as string | null,
  ]);

/** Opens a URL of the service as a browser does, up to the provider, where `user` consents, and back; null denies. */
export const browse = Effect.fnUntraced(function* (world: Harness, path: string, user: string | null) {
  const cookies = new Map<string, string>();
  for (let at = new URL(path, HARNESS_URL).href; ;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = yield* world.request(new Request(at, { headers: { cookie } }));
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name, value);
    }
    const to = response.headers.get("location");
    const text = to === null ? yield* Effect.promise(() => response.text()) : "";
    if (to === null) return { url: at, status: response.status, text, cookies };
    at = new URL(to, at).href;
    if (at.startsWith(world.provider.issuer)) at = world.provider.consent(at, user);
    const isHere = at.startsWith(HARNESS_URL.origin) && /^\/(oauth|connect)\//.test(new URL(at).pathname);
    if (!isHere) return { url: at, status: response.status, text, cookies };
  }
});

/** Connects an account by a link that its user opens, who consents; returns where the browser ends. */
export const connectByConsent = Effect.fnUntraced(function* (
  world: Harness,
  email: string,
  user: string | null = email,
) {
  const { body } = yield* asAdmin(world, "POST", "/api/accounts/connect", { email, provider: APP, redirectUrl: DONE });
  return yield* browse(world, body.data.url, user);
});
