import { Schema } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AccountId } from "../src/shared/index.ts";
import { writeEvent } from "../src/events/index.ts";
import { MAX_BODY_BYTES } from "../src/events/write-event.ts";
import { EVENT_TYPE_NAMES, EVENT_TYPES, eventBody, type EventData, isEventType } from "../src/events/neighbours.ts";

declare const TextDecoder: new (label: string, options: { fatal: true }) => { decode(bytes: Uint8Array): string };

const ACCOUNT = { id: "acc_1", email: AccountId("demo@postern.test") };
/** The longest address, and longer than its id. */
const LONGEST = { id: "a".repeat(512), email: AccountId("x".repeat(320)) };
const bodyOf = (event: { readonly body: Uint8Array }) =>
  JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(event.body));
const received = (fields: Partial<EventData<"email.received">>) =>
  writeEvent("evt_1", ACCOUNT, "email.received", 0, { ...EVENT_TYPES["email.received"].sample, ...fields });

/** Hostile text: of any length, with characters that grow in JSON and lone surrogates. */
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc
    .tuple(fc.constantFrom("\u0001", "\0", "\uD800", "\uDC00", "📮", "\u2028", '"', "\\", "中", "x"), fc.nat(3000))
    .map(([unit, n]) => unit.repeat(n)),
);
const hostileList = fc.oneof(
  fc.array(hostile, { maxLength: 5 }),
  fc.tuple(hostile, fc.nat(400)).map(([text, n]) => Array.from({ length: n }, () => text)),
);

describe("the catalogue", () => {
  it.each(EVENT_TYPE_NAMES)("has a valid sample of %s that is written unchanged [S7.1-1] [S10.3-32]", (type) => {
    const { data, sample } = EVENT_TYPES[type];
    expect(Schema.is(data as Schema.Schema<unknown>)(sample)).toBe(true);
    expect(bodyOf(writeEvent("evt_1", ACCOUNT, type, 1_767_323_045_678, sample))).toEqual({
      id: "evt_1",
      event: type,
      timestamp: "2026-01-02T03:04:05.678Z",
      account: { id: "acc_1", email: "demo@postern.test" },
      data: sample,
    });
  });

  it("counts the addresses in its samples", () => {
    const samples: ReadonlyArray<Readonly<Record<string, unknown>>> = EVENT_TYPE_NAMES.map(
      (type) => EVENT_TYPES[type].sample,
    );
    const counted = samples.flatMap((sample) =>
      (["to", "cc"] as const).filter((field) => `${field}Count` in sample).map((field) => [sample, field] as const),
    );
    expect(counted.length).toBeGreaterThan(0);
    for (const [sample, field] of counted) expect(sample[field]).toHaveLength(Number(sample[`${field}Count`]));
  });

  it("contains its event types and no others", () => {
    expect(EVENT_TYPE_NAMES).toHaveLength(24);
    expect(["email.received", "toString", "__proto__", "", "email"].map(isEventType)).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("a body", () => {
  it("has its members in one order [S7.1-1] [S7.1-6]", () => {
    const textOf = (account: typeof ACCOUNT | null) =>
      new TextDecoder("utf-8", { fatal: true }).decode(
        eventBody("evt_1", account, "webhook.test", 0, { endpointId: "we_1" }, "test"),
      );
    expect(textOf(ACCOUNT)).toBe(
      '{"id":"evt_1","event":"webhook.test","timestamp":"1970-01-01T00:00:00.000Z",' +
        '"account":{"id":"acc_1","email":"demo@postern.test"},"test":true,"data":{"endpointId":"we_1"}}',
    );
    expect(textOf(null)).toContain('"account":null,');
  });

  it("fits 64 KiB for any mail, and is valid JSON of its schema [S7.1-5]", () => {
    const fields = fc.record({
      from: hostile,
      subject: hostile,
      folder: hostile,
      id: hostile,
      messageId: hostile,
      fromName: hostile,
      date: hostile,
      to: hostileList,
    });
    fc.assert(
      fc.property(fields, (hostileFields) => {
        const event = received(hostileFields);
        expect(event.body.length).toBeLessThan(MAX_BODY_BYTES);
        const { data } = bodyOf(event);
        expect(Schema.is(EVENT_TYPES["email.received"].data)(data)).toBe(true);
        expect(JSON.stringify(data)).not.toContain("\\u0000");
        expect(data.subject.length).toBeLessThanOrEqual(998);
        expect(data.to.length).toBeLessThanOrEqual(50);
        const cut =
          data.to.length < hostileFields.to.length ||
          [hostileFields.from, hostileFields.fromName].some(({ length }) => length > 320);
        if (cut) expect(data.truncated).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each(EVENT_TYPE_NAMES)("of %s fits if every field is as long as possible [S7.1-5]", (type) => {
    for (const unit of ["\u0001", "中", "📮", "\uD800"]) {
      const worst = (value: unknown): unknown => {
        if (typeof value === "string") return unit.repeat(5000);
        if (Array.isArray(value)) return Array.from({ length: 500 }, () => unit.repeat(5000));
        if (typeof value !== "object" || value === null) return value;
        return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, worst(inner)]));
      };
      const { body } = writeEvent("e".repeat(64), LONGEST, type, 0, worst(EVENT_TYPES[type].sample) as never);
      expect(body.length).toBeLessThan(MAX_BODY_BYTES);
    }
  });

  it("is marked as truncated at the top when a field of a record was cut", () => {
    const written = (message: string) =>
      bodyOf(
        writeEvent("evt_1", ACCOUNT, "account.auth_failed", 0, {
          email: "demo@postern.test",
          reason: { code: "auth_refused", message },
        }),
      ).data;
    expect(written("x".repeat(320))).not.toHaveProperty("truncated");
    expect(written("x".repeat(321))).toEqual({
      email: "demo@postern.test",
      reason: { code: "auth_refused", message: "x".repeat(320) },
      truncated: true,
    });
  });

  it("is marked as truncated when something was cut, and keeps characters whole [S7.1-5]", () => {
    expect(bodyOf(received({ subject: "x".repeat(998) })).data).not.toHaveProperty("truncated");
    expect(bodyOf(received({ subject: "x".repeat(999) })).data).toMatchObject({
      subject: "x".repeat(998),
      truncated: true,
    });
    expect(bodyOf(received({ subject: `${"x".repeat(997)}📮` })).data.subject).toBe("x".repeat(997));
    const many = Array.from({ length: 51 }, (_, n) => `r${n}@example.com`);
    expect(bodyOf(received({ to: many, toCount: 51 })).data).toMatchObject({
      to: many.slice(0, 50),
      toCount: 51,
      truncated: true,
    });
    expect(bodyOf(received({ to: many.slice(1) })).data).not.toHaveProperty("truncated");
  });
});
