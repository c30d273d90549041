import { harness } from "@postern/harness";
import { Effect } from "effect";
import { expect, it } from "vitest";

const HOOK = "https://hooks.example.com/mail";
const login = { email: "demo@postern.test", password: "demo" };

it(
  "an endpoint that is down gets six attempts in seven hours, and is then disabled",
  () =>
    Effect.gen(function* () {
      const { now, pass, receivers, request } = yield* harness;
      const attempts: Array<number> = [];
      receivers.set(HOOK, { reply: () => (attempts.push(now()), { status: 503 }) });

      const call = Effect.fn(function* (token: string, method: string, path: string, body?: unknown) {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const sent = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
        const response = yield* request(new Request(`http://127.0.0.1:3000/api${path}`, sent));
        return yield* Effect.promise(() => response.json());
      });

      const { token } = yield* call("", "POST", "/auth/mobile-login", login);
      const { data } = yield* call(token, "POST", "/settings/webhooks", { url: HOOK, events: ["email.sent"] });
      yield* call(token, "POST", "/send", { to: "friend@postern.test", subject: "Lunch?", text: "At one." });
      yield* pass("8 hours");

      const later = yield* call("", "POST", "/auth/mobile-login", login); // The first token was valid for an hour.
      const endpoint = yield* call(later.token, "GET", `/settings/webhooks/${data.id}`);
      expect(attempts.slice(1).map((at, n) => (at - attempts[n]!) / 60_000)).toEqual([1, 5, 15, 60, 360]);
      expect(endpoint.data.disabledReason).toBe("exhausted");
    }).pipe(Effect.scoped, Effect.runPromise),
  60_000,
);
