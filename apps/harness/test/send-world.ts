import { harness, HARNESS_URL, type Harness } from "@postern/harness";
import { AccountId } from "@postern/core/shared";
import { Effect } from "effect";

export const DEMO = AccountId("demo@postern.test");
export const MAIL = { to: "friend@postern.test", subject: "Grüße ✓", text: "Hi" };

/** Makes a request; returns its answer with the parsed body. */
export const call = Effect.fnUntraced(function* (
  world: Harness,
  method: string,
  path: string,
  token: string,
  json?: unknown,
  headers: Readonly<Record<string, string>> = {},
) {
  const response = yield* world.request(
    new Request(new URL(path, HARNESS_URL), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
  const text = yield* Effect.promise(() => response.text());
  const body = response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, body };
});

/** Signs in and returns the token. */
export const signIn = Effect.fnUntraced(function* (world: Harness, email = "demo@postern.test", password = "demo") {
  const { body } = yield* call(world, "POST", "/api/auth/mobile-login", "", { email, password });
  return body.token as string;
});

/** A signed-in client of a new harness. */
export const begin = Effect.gen(function* () {
  const world = yield* harness;
  const password = "demo";
  const token = yield* signIn(world);
  const send = (mail: object, headers: Readonly<Record<string, string>> = {}) =>
    call(world, "POST", "/api/send", token, mail, headers);
  const events = Effect.map(world.events.list(DEMO), (all) =>
    all.map(({ body }) => JSON.parse(Buffer.from(body).toString())),
  );
  const eventTypes = Effect.map(events, (all) => all.map(({ event }) => event as string));
  const mailbox = (account: AccountId, path: string) => world.mail.account(account).mailbox(path);
  /** Returns the outbox after a new sign-in, because tokens last an hour. */
  const outbox = Effect.flatMap(signIn(world, "demo@postern.test", password), (fresh) =>
    Effect.map(call(world, "GET", "/api/outbox", fresh), ({ body }) => body.data),
  );
  return { world, token, send, events, eventTypes, mailbox, outbox };
});
