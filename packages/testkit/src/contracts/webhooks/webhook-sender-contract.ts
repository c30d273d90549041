import { assert, layer } from "@effect/vitest";
import { isDelivered, WebhookSender } from "@postern/core/webhooks";
import { Effect, type Layer } from "effect";
import { WebhookReceivers } from "../../controls/WebhookReceivers.ts";

const HEADERS = {
  "Content-Type": "application/json",
  "X-Service-Signature": "sha256=0a1b",
  "webhook-id": "evt_1",
  "webhook-signature": "v1,AAAA= v1,BBBB=",
};
const BODY = new TextEncoder().encode('{"subject":"Grüße \u2028 📮"}');

const send = Effect.fnUntraced(function* (url: string, endpointId = "we_1") {
  const sender = yield* WebhookSender;
  return yield* sender.send({ endpointId, url, headers: HEADERS, body: BODY });
});

/**
 * The contract of `WebhookSender` (spec 7.5). The sender of the layer limits an exchange to one second, and its guard
 * allows the receivers.
 */
export const webhookSenderContract = <E>(name: string, ports: Layer.Layer<WebhookSender | WebhookReceivers, E>): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("sends headers and body byte for byte", () =>
      Effect.gen(function* () {
        const receiver = yield* (yield* WebhookReceivers).open({ status: 200 });
        assert.isTrue(isDelivered(yield* send(receiver.url)));
        const [post, ...more] = yield* receiver.received;
        assert.deepStrictEqual(more, []);
        assert.deepStrictEqual(Buffer.from(post!.body).toString("hex"), Buffer.from(BODY).toString("hex"));
        for (const [field, value] of Object.entries(HEADERS)) {
          assert.strictEqual(post!.headers[field.toLowerCase()], value, field);
        }
      }),
    );

    it.effect.each([
      199, 200, 201, 204, 299, 300, 301, 302, 303, 307, 308, 400, 401, 404, 410, 413, 429, 500, 503, 599,
    ])("tells the status %d and counts only 2xx as delivered [S7.5-3]", (status) =>
      Effect.gen(function* () {
        // An informational response must be followed by another response, which never arrives.
        const receiver = yield* (yield* WebhookReceivers).open({ status });
        const outcome = yield* send(receiver.url);
        assert.strictEqual(isDelivered(outcome), status >= 200 && status < 300);
        assert.strictEqual(outcome.status, status < 200 ? null : status);
        assert.strictEqual(outcome.errorCode, status < 200 ? "timeout" : null);
      }),
    );

    it.effect.each([301, 302, 303, 307, 308])("never follows a %d", (status) =>
      Effect.gen(function* () {
        const receivers = yield* WebhookReceivers;
        const target = yield* receivers.open({ status: 200 });
        const receiver = yield* receivers.open({ status, location: target.url });
        assert.strictEqual((yield* send(receiver.url)).status, status);
        assert.deepStrictEqual(yield* target.received, []);
      }),
    );

    it.effect("sends each POST once, whatever its outcome", () =>
      Effect.gen(function* () {
        const receivers = yield* WebhookReceivers;
        for (const act of [{ status: 503 }, "cut_before_headers", "cut_after_headers", "hang"] as const) {
          const receiver = yield* receivers.open(act);
          yield* send(receiver.url);
          assert.strictEqual((yield* receiver.received).length, 1, JSON.stringify(act));
        }
      }),
    );

    it.effect("distinguishes failures", () =>
      Effect.gen(function* () {
        const receivers = yield* WebhookReceivers;
        const outcomeOf = (act: "hang" | "cut_before_headers" | "cut_after_headers") =>
          Effect.flatMap(receivers.open(act), ({ url }) => send(url));
        const refused = yield* send(yield* receivers.deadUrl);
        assert.deepInclude(refused, { status: null, errorCode: "refused", excerpt: "", retryAfter: null });
        assert.deepInclude(yield* outcomeOf("cut_before_headers"), { status: null, errorCode: "reset_before_headers" });
        assert.deepInclude(yield* outcomeOf("cut_after_headers"), { status: 200, errorCode: "reset_after_headers" });
        const late = yield* outcomeOf("hang");
        assert.deepInclude(late, { status: null, errorCode: "timeout" });
        assert.isAtLeast(late.ms, 250);
      }),
    );

    it.effect("returns the wait that the receiver asks for", () =>
      Effect.gen(function* () {
        const receivers = yield* WebhookReceivers;
        for (const [asked, told] of [
          [0, 0],
          [120, 120_000],
          [1_000_000_000, 1_000_000_000_000],
        ] as const) {
          const receiver = yield* receivers.open({ status: 503, retryAfterSeconds: asked });
          assert.strictEqual((yield* send(receiver.url)).retryAfter, told);
        }
        assert.isNull((yield* send((yield* receivers.open({ status: 503 })).url)).retryAfter);
      }),
    );

    it.effect("returns the beginning of the response as text that can be stored", () =>
      Effect.gen(function* () {
        const receivers = yield* WebhookReceivers;
        const excerptOf = (body: string | Uint8Array) =>
          Effect.flatMap(receivers.open({ status: 500, body }), ({ url }) =>
            Effect.map(send(url), ({ excerpt }) => excerpt),
          );
        assert.strictEqual(yield* excerptOf("no such user"), "no such user");
        assert.strictEqual(yield* excerptOf(""), "");
        assert.strictEqual(
          yield* excerptOf(Uint8Array.of(0x61, 0xff, 0x62, 0, 0x63, 0xe2, 0x82)),
          "a\uFFFDb\uFFFDc\uFFFD",
        );
        assert.strictEqual(yield* excerptOf("x".repeat(10_000)), "x".repeat(4096));
        assert.strictEqual(yield* excerptOf(`x${"é".repeat(10_000)}`), `x${"é".repeat(2047)}`, "no half character");
        assert.strictEqual(yield* excerptOf("y".repeat(100_000)), "y".repeat(4096));
      }),
    );

    it.effect("sends one POST after another to the same endpoint", () =>
      Effect.gen(function* () {
        const acts = [{ status: 500, body: "no" }, { status: 200 }, "cut_before_headers", { status: 204 }] as const;
        const receiver = yield* (yield* WebhookReceivers).open(...acts);
        const outcomes = yield* Effect.forEach([1, 2, 3, 4, 5], () => send(receiver.url));
        assert.deepStrictEqual(
          outcomes.map(({ status }) => status),
          [500, 200, null, 204, 204],
        );
      }),
    );

    it.effect("sends many POSTs concurrently", () =>
      Effect.gen(function* () {
        const receiver = yield* (yield* WebhookReceivers).open({ status: 200 });
        const outcomes = yield* Effect.forEach(Array.from({ length: 40 }), () => send(receiver.url), {
          concurrency: "unbounded",
        });
        assert.isTrue(outcomes.every(isDelivered));
        assert.strictEqual((yield* receiver.received).length, 40);
      }),
    );
  });
