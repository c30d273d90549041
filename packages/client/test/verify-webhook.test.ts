import { assert, describe, it } from "@effect/vitest";
import { Redacted } from "effect";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, type WebhookRequest, WebhookRejected } from "../src/webhooks.ts";
import { event, NEXT, NOW, SECRET, signed } from "./signed.ts";

const { body } = event("Grüße \u2028 📮");
const text = new TextDecoder().decode(body);
const REQUEST: WebhookRequest = { body, headers: signed(body), secret: SECRET, now: NOW };

const rejection = async (changes: Partial<WebhookRequest>) => {
  try {
    await verifyWebhook({ ...REQUEST, ...changes });
  } catch (error) {
    assert.instanceOf(error, WebhookRejected);
    return error.reason;
  }
  return "none";
};
const without = (name: string) => Object.fromEntries(Object.entries(signed(body)).filter(([field]) => field !== name));
const altered = (name: string, value: string) => ({ ...signed(body), [name]: value });

describe.each(["standard", "service"] as const)("a webhook by the %s scheme", (scheme) => {
  const header = scheme === "standard" ? "webhook-signature" : "X-Service-Signature";

  it("is read, as bytes and as text, from headers in any form", async () => {
    const lower = Object.fromEntries(Object.entries(signed(body)).map(([name, value]) => [name.toLowerCase(), value]));
    const lists = Object.fromEntries(Object.entries(lower).map(([name, value]) => [name, [value]]));
    for (const headers of [signed(body), new Headers({ ...signed(body) }), lower, lists]) {
      for (const raw of [body, text, Buffer.from(body)]) {
        const read = await verifyWebhook({ ...REQUEST, headers, body: raw, scheme });
        assert.deepStrictEqual(read, JSON.parse(text));
        assert.strictEqual(read.event === "email.received" && read.data.subject, "Grüße \u2028 📮");
        // The type of every event but `webhook.disabled` has an account.
        assert.strictEqual(read.event !== "webhook.disabled" && read.account.email, "demo@postern.test");
      }
    }
  });

  it("is rejected when a byte of it, its signature or its secret differs", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const forged = body.map((byte, n) => (n === at ? byte ^ change : byte));
        assert.strictEqual(await rejection({ body: forged, scheme }), "signature");
      }),
    );
    assert.strictEqual(await rejection({ body: `${text} `, scheme }), "signature");
    assert.strictEqual(await rejection({ secret: NEXT, scheme }), "signature");
    assert.strictEqual(await rejection({ secret: [], scheme }), "signature");
    const signature = signed(body)[header]!;
    const last = signature.endsWith("0") ? "1" : "0";
    for (const forged of [
      `${signature.slice(0, -1)}${last}`,
      signature.slice(0, -1),
      `${signature}0`,
      signature.toUpperCase(),
      signature.split(/[,=]/)[1]!,
      "x",
      `sha256=${"0".repeat(64)}`,
      `v1,${"A".repeat(43)}=`,
    ]) {
      assert.strictEqual(await rejection({ headers: altered(header, forged), scheme }), "signature", forged);
    }
  });

  it("is rejected without its signature", async () => {
    assert.strictEqual(await rejection({ headers: without(header), scheme }), "missing");
    assert.strictEqual(await rejection({ headers: {}, scheme }), "missing");
    assert.strictEqual(await rejection({ headers: altered(header, ""), scheme }), "missing");
  });

  it("is accepted with either secret during a rotation, and only with the new one after that", async () => {
    const next = { secret: Redacted.make(NEXT), activatesAt: NOW + 1 };
    const during = signed(body, next);
    for (const secret of [SECRET, NEXT, [NEXT, SECRET], ["whsec_AAAA", NEXT]]) {
      await verifyWebhook({ ...REQUEST, headers: during, secret, scheme });
    }
    const after = signed(body, next, NOW + 1);
    await verifyWebhook({ ...REQUEST, headers: after, secret: NEXT, scheme });
    assert.strictEqual(await rejection({ headers: after, secret: SECRET, scheme }), "signature");
  });

  it("that is signed but not an event is rejected", async () => {
    for (const raw of [
      "",
      "null",
      "[]",
      "{}",
      '{"id":1}',
      "\uFEFF{",
      '{"id":"a","event":"b","timestamp":"c","data":"d"}',
    ]) {
      const bytes = new TextEncoder().encode(raw);
      assert.strictEqual(await rejection({ body: bytes, headers: signed(bytes), scheme }), "body", raw);
    }
    const broken = Uint8Array.of(0x7b, 0xff, 0x7d);
    assert.strictEqual(await rejection({ body: broken, headers: signed(broken), scheme }), "body");
  });
});

describe("the standard scheme", () => {
  it("is that of Standard Webhooks", async () => {
    const now = Date.now();
    const signature = new Webhook(SECRET).sign("evt_1", new Date(now), text);
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(now / 1000)),
      "webhook-signature": signature,
    };
    await verifyWebhook({ body, headers, secret: SECRET });
  });

  it("signs the id and the time too", async () => {
    assert.strictEqual(await rejection({ headers: altered("webhook-id", "evt_2") }), "signature");
    assert.strictEqual(await rejection({ headers: altered("webhook-timestamp", "1767323046") }), "signature");
    for (const name of ["webhook-id", "webhook-timestamp"])
      assert.strictEqual(await rejection({ headers: without(name) }), "missing");
  });

  it("accepts only a time near the current one", async () => {
    const second = 1000;
    for (const [seconds, reason] of [
      [300, "none"],
      [301, "timestamp"],
      [-300, "none"],
      [-301, "timestamp"],
    ] as const) {
      assert.strictEqual(
        await rejection({ now: Math.floor(NOW / second) * second + seconds * second }),
        reason,
        String(seconds),
      );
    }
    assert.strictEqual(await rejection({ now: NOW + 60_000, tolerance: 30 }), "timestamp");
    for (const time of ["soon", "-1", "1e9", "NaN", "", "1767323045.5", "9".repeat(20)]) {
      assert.match(await rejection({ headers: altered("webhook-timestamp", time) }), /^(timestamp|missing)$/);
    }
  });

  it("checks no more signatures than a rotation produces", async () => {
    const good = signed(body)["webhook-signature"]!;
    const wrong = `v1,${"A".repeat(43)}=`;
    assert.strictEqual(
      await rejection({
        headers: altered("webhook-signature", [...Array.from({ length: 9 }, () => wrong), good].join(" ")),
      }),
      "none",
    );
    assert.strictEqual(
      await rejection({
        headers: altered("webhook-signature", [...Array.from({ length: 10 }, () => wrong), good].join(" ")),
      }),
      "signature",
    );
    assert.strictEqual(await rejection({ headers: altered("webhook-signature", `v2,x v1a,y ${good}`) }), "none");
  });
});

describe("the module for receivers", () => {
  it("imports nothing but itself at run time, so that it runs wherever Web Crypto does", async () => {
    const { readFile } = await import("node:fs/promises");
    const receivers = ["verify-webhook", "signature-matches", "WebhookRejected"].map((name) => `receivers/${name}`);
    for (const file of ["webhooks", ...receivers]) {
      const source = await readFile(new URL(`../src/${file}.ts`, import.meta.url), "utf8");
      for (const [, from] of source.matchAll(/from "([^"]+)"/g)) assert.match(from!, /^\.\.?\/([\w-]+\/)?[\w-]+\.ts$/);
      assert.notMatch(source, /\b(process|Buffer|require)\b/);
    }
  });
});
