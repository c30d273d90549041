import { assert, describe, it } from "@effect/vitest";
import { verify } from "@octokit/webhooks-methods";
import { AccountId, Entropy } from "@postern/core/shared";
import { writeEvent } from "@postern/core/events";
import { EVENT_TYPES } from "@postern/core/rules";
import { Hmac, headerSigner, newSecret, type SigningSecrets } from "@postern/core/webhooks";
import { hmacContract } from "@postern/testkit";
import { Effect, Layer, Redacted } from "effect";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, vi } from "vitest";
import { HmacByNode, layer } from "../src/index.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
const NEXT = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const secrets = (next: SigningSecrets["next"] = null): SigningSecrets => ({ current: Redacted.make(SECRET), next });
const bytes = (text: string) => new TextEncoder().encode(text);
const signed = (body: Uint8Array, of = secrets(), attempt = 1, now = NOW) =>
  Effect.runSync(
    Effect.provide(
      Effect.map(Hmac, (hmac) => headerSigner(hmac)({ id: "evt_1", type: "email.received", body, attempt }, of, now)),
      HmacByNode,
    ),
  );
const standardHeaders = (headers: Readonly<Record<string, string>>) => ({
  "webhook-id": headers["webhook-id"]!,
  "webhook-timestamp": headers["webhook-timestamp"]!,
  "webhook-signature": headers["webhook-signature"]!,
});
const received = (subject: string) =>
  writeEvent("evt_1", { id: "acc_1", email: AccountId("demo@postern.test") }, "email.received", NOW, {
    ...EVENT_TYPES["email.received"].sample,
    subject,
  }).body;

hmacContract("HMAC of node:crypto", HmacByNode);

describe("the signature headers", () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("match the known values byte for byte [S7.1-3] [S7.1-4]", () => {
    assert.deepStrictEqual(
      signed(bytes('{"event":"email.received","data":{"subject":"Grüße \u2028 📮"}}'), secrets(), 3),
      {
        "Content-Type": "application/json",
        "User-Agent": "Postern",
        "X-Service-Signature": "sha256=8ccb52cdce282eedd9e941b73f609b3cd4f0e365deea355b86c3f948eca5f162",
        "X-Service-Event": "email.received",
        "X-Service-Attempt": "3",
        "webhook-id": "evt_1",
        "webhook-timestamp": "1767323045",
        "webhook-signature": "v1,13g94BB7Z6UyjP2sE1G1vsigJN/BcD1USIfB34RFzSM=",
      },
    );
  });

  it.each([
    "plain",
    "Grüße aus Köln",
    "line\u2028separator\u2029",
    "📮👩‍👩‍👧",
    '"quotes" \\ and \u0007',
    "日本語",
    "\uD800 half",
  ])("of %j are accepted by the libraries that receivers use", async (subject) => {
    const body = received(subject);
    const headers = signed(body);
    const text = new TextDecoder().decode(body);
    assert.isTrue(await verify(SECRET, text, headers["X-Service-Signature"]!));
    assert.isFalse(await verify(SECRET, `${text} `, headers["X-Service-Signature"]!));
    assert.deepStrictEqual(new Webhook(SECRET).verify(text, standardHeaders(headers)), JSON.parse(text));
    assert.throws(() => new Webhook(SECRET).verify(`${text} `, standardHeaders(headers)));
  });

  it("of random text are accepted by the same libraries", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (subject) => {
        const text = new TextDecoder().decode(received(subject));
        const headers = signed(bytes(text));
        assert.isTrue(await verify(SECRET, text, headers["X-Service-Signature"]!));
        new Webhook(SECRET).verify(text, standardHeaders(headers));
      }),
      { numRuns: 50 },
    );
  });

  it("carry both secrets during a rotation, the old one where the specification has one value", async () => {
    const rotating = secrets({ secret: Redacted.make(NEXT), activatesAt: NOW + 1 });
    const text = "{}";
    const during = signed(bytes(text), rotating);
    assert.isTrue(await verify(SECRET, text, during["X-Service-Signature"]!));
    assert.isTrue(await verify(NEXT, text, during["X-Service-Signature-Next"]!));
    assert.strictEqual(during["webhook-signature"]!.split(" ").length, 2);
    for (const secret of [SECRET, NEXT]) new Webhook(secret).verify(text, standardHeaders(during));

    const after = signed(bytes(text), rotating, 1, NOW + 1);
    assert.isTrue(await verify(NEXT, text, after["X-Service-Signature"]!));
    assert.notProperty(after, "X-Service-Signature-Next");
    new Webhook(NEXT).verify(text, standardHeaders(after));
    assert.throws(() => new Webhook(SECRET).verify(text, standardHeaders(after)));
  });
});

describe("signing secrets", () => {
  const random = layer({ idKey: new Uint8Array(32) });

  it.effect("are 24 random bytes in the form of Standard Webhooks", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Array.from({ length: 500 }), () => newSecret);
      for (const secret of made) {
        assert.match(Redacted.value(secret), /^whsec_[A-Za-z0-9+/]{32}$/);
        assert.notInclude(String(secret), "whsec_");
      }
      assert.strictEqual(new Set(made.map(Redacted.value)).size, made.length);
      assert.isTrue(made.some((secret) => Redacted.value(secret).includes("+")));
    }).pipe(Effect.provide(Layer.orDie(random) as Layer.Layer<Entropy>)),
  );
});
