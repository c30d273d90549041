import { Redacted, Result } from "effect";
import { describe, expect, it } from "vitest";
import { AccountId } from "../../src/shared/index.ts";
import {
  type EndpointOwner,
  initialSecrets,
  headerSigner,
  nextWakeUp,
  outcomesOf,
  ownedBy,
  readEndpointUrl,
  recordOutcomes,
  sameOwner,
  settingsOf,
} from "../../src/webhooks/index.ts";
import { mayChange } from "../../src/webhooks/EndpointOwner.ts";
import { DEFAULT_SETTINGS } from "../../src/webhooks/endpoint-settings.ts";
import { editEndpoint, enableEndpoint, disableEndpoint } from "../../src/webhooks/endpoint-state.ts";
import { overlapMillis, rotateSecret, secretHint, secretsAt } from "../../src/webhooks/signing-secrets.ts";
import { deliveryWith, endpointWith, T0 } from "../webhook-doubles.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

describe("the URL of an endpoint", () => {
  const at = (more: object) => ({ secure: true, isAddress: false, port: 443, path: "/", ...more });
  it.each<[string, unknown]>([
    ["https://hooks.x.test", at({ host: "hooks.x.test", origin: "https://hooks.x.test" })],
    ["https://HOOKS.x.test./a?b=c#d", at({ host: "hooks.x.test", origin: "https://hooks.x.test", path: "/a?b=c" })],
    ["https://x.test:8443/", at({ host: "x.test", origin: "https://x.test:8443", port: 8443 })],
    ["https://x.test:443/", at({ host: "x.test", origin: "https://x.test" })],
    [
      "http://10.0.0.1/a",
      { secure: false, host: "10.0.0.1", isAddress: true, port: 80, origin: "http://10.0.0.1", path: "/a" },
    ],
    ["https://0x0a000001/", at({ host: "10.0.0.1", isAddress: true, origin: "https://10.0.0.1" })],
    ["https://[::1]:9/", at({ host: "::1", isAddress: true, port: 9, origin: "https://[::1]:9" })],
    ["https://x.test/a@b", at({ host: "x.test", origin: "https://x.test", path: "/a@b" })],
    ["hooks", "malformed"],
    ["https://", "malformed"],
    ["ftp://x.test/", "not_https"],
    ["https://a@x.test/", "userinfo"],
    ["https://a:b@x.test/", "userinfo"],
    ["https://:b@x.test/", "userinfo"],
    [" https://@x.test/", "userinfo"],
    ["https://localhost/", "name"],
    ["https://a.local/", "name"],
    ["https://a.internal/", "name"],
    ["https://a.localhost./", "name"],
    ["https://a.local.test/", at({ host: "a.local.test", origin: "https://a.local.test" })],
    [`https://x.test/${"a".repeat(2_034)}`, "too_long"],
  ])("%s is read", (text, read) => {
    expect(
      Result.match(readEndpointUrl(text), { onFailure: (refusal): unknown => refusal, onSuccess: (url) => url }),
    ).toEqual(read);
  });

  it("has 2,048 characters at most", () => {
    const text = `https://x.test/${"a".repeat(2_033)}`;
    expect([text.length, Result.isSuccess(readEndpointUrl(text))]).toEqual([2_048, true]);
  });
});

it.each([
  [undefined, 86_400],
  ["0", 0],
  ["90s", 90],
  ["15m", 900],
  ["2h", 7_200],
  ["7d", 604_800],
  ["8d", 604_800],
  ["1000000s", 604_800],
])("an overlap of %s takes %d seconds", (text, seconds) => expect(overlapMillis(text)).toBe(seconds * 1_000));

describe("the owner of an endpoint", () => {
  const account = ownedBy(AccountId("a@x.test"));
  const keyOf = (reach: ReadonlyArray<string> | null, application = "app"): EndpointOwner => ({
    _tag: "Application",
    application,
    reach,
    notify: null,
  });

  it("is the same account, or a key of the same application", () => {
    expect(sameOwner(account, ownedBy(AccountId("a@x.test")))).toBe(true);
    expect(sameOwner(account, ownedBy(AccountId("b@x.test")))).toBe(false);
    expect(sameOwner(keyOf(null), keyOf(["a@x.test"]))).toBe(true);
    expect(sameOwner(keyOf(null), keyOf(null, "other"))).toBe(false);
    expect([sameOwner(account, keyOf(null)), sameOwner(keyOf(null), account)]).toEqual([false, false]);
  });

  it("may change it if the key reaches all accounts of the endpoint", () => {
    expect(mayChange(account, account)).toBe(true);
    expect(mayChange(keyOf(null), keyOf(["a@x.test"]))).toBe(true);
    expect(mayChange(keyOf(["*@x.test"]), keyOf(["a@x.test"]))).toBe(true);
    expect(mayChange(keyOf(["a@x.test"]), keyOf(["*@x.test"]))).toBe(false);
    expect(mayChange(keyOf(["a@x.test"]), keyOf(null))).toBe(false);
    expect(mayChange(keyOf(null), account)).toBe(false);
  });
});

describe("the state of an endpoint", () => {
  it("has the default of each setting that its owner leaves out", () => {
    expect(settingsOf({ url: "u" }, ["email.received"])).toEqual({
      ...DEFAULT_SETTINGS,
      url: "u",
      events: ["email.received"],
    });
    const chosen = {
      url: "u",
      folders: ["*"],
      description: "d",
      disablePolicy: "no_success",
      honourRetryAfter: true,
      ordered: true,
      maxInFlight: 9,
    } as const;
    expect(settingsOf(chosen, [])).toEqual({ ...chosen, events: [] });
  });

  it("keeps the fields that an edit does not name", () => {
    const before = endpointWith({ ordered: true, description: "d" });
    expect(editEndpoint(before, { maxInFlight: 2 }, T0 + 9)).toEqual({ ...before, maxInFlight: 2, updatedAt: T0 + 9 });
    expect(editEndpoint(before, { events: ["email.bounced"], ordered: false }, T0)).toMatchObject({
      events: ["email.bounced"],
      ordered: false,
      description: "d",
    });
  });

  it("forgets its failures when it is enabled", () => {
    const failed = disableEndpoint(endpointWith({ consecutiveFailures: 6 }), "exhausted", T0);
    expect(failed).toMatchObject({ consecutiveFailures: 6, updatedAt: T0, disabledReason: "exhausted" });
    expect(enableEndpoint(failed, T0 + 5)).toMatchObject({
      consecutiveFailures: 0,
      disabledAt: null,
      disabledReason: null,
      updatedAt: T0 + 5,
    });
  });

  const attempt = (endpointId: string, startedAt: number, status: number | null) => ({
    delivery: { endpointId },
    attempt: {
      deliveryId: "d",
      n: 1,
      startedAt,
      ms: 10,
      status,
      errorCode: null,
      excerpt: "",
      remoteIp: null,
      headers: null,
    },
  });

  it("records the last of concurrent attempts, and counts the failures after the last success", () => {
    const outcomes = outcomesOf([
      attempt("we_2", 5, 500),
      attempt("we_1", 30, 503),
      attempt("we_1", 10, 500),
      attempt("we_1", 20, 204),
      attempt("we_1", 40, null),
    ]);
    expect(outcomes).toEqual([
      { endpointId: "we_1", lastDeliveryAt: 50, lastStatus: null, lastSuccessAt: 30, failures: 2 },
      { endpointId: "we_2", lastDeliveryAt: 15, lastStatus: 500, lastSuccessAt: null, failures: 1 },
    ]);
    const before = endpointWith({ consecutiveFailures: 3, lastSuccessAt: 40 });
    expect(recordOutcomes(before, outcomes[1]!)).toEqual({
      ...before,
      lastDeliveryAt: 15,
      lastStatus: 500,
      consecutiveFailures: 4,
    });
    // An earlier success may be recorded later, by another process.
    expect(recordOutcomes(before, outcomes[0]!)).toMatchObject({ lastSuccessAt: 40, consecutiveFailures: 2 });
    expect(recordOutcomes({ ...before, lastSuccessAt: null }, outcomes[0]!).lastSuccessAt).toBe(30);
  });
});

describe("the next time that an endpoint needs a worker", () => {
  const due = (id: string, dueAt: number) => deliveryWith({ id, dueAt });
  const inFlight = (id: string, leaseUntil: number) => deliveryWith({ id, state: "in_flight", leaseUntil });

  it("is when a lease ends or a delivery falls due, the earlier", () => {
    const endpoint = endpointWith({ maxInFlight: 2 });
    expect(nextWakeUp([], endpoint)).toBeNull();
    expect(nextWakeUp([due("a", 30), due("b", 20)], endpoint)).toBe(20);
    expect(nextWakeUp([inFlight("a", 10), due("b", 20)], endpoint)).toBe(10);
    expect(nextWakeUp([inFlight("a", 90), due("b", 20)], endpoint)).toBe(20);
  });

  it("ignores deliveries that wait for a slot, or are held", () => {
    const endpoint = endpointWith({ maxInFlight: 1 });
    expect(nextWakeUp([inFlight("a", 90), due("b", 20)], endpoint)).toBe(90);
    expect(nextWakeUp([due("b", 20)], endpointWith({ state: "disabled" }))).toBeNull();
  });
});

describe("the secrets of an endpoint", () => {
  const [one, two, three] = ["whsec_AAAA", "whsec_BBBB", "whsec_CCCC"].map((text) => Redacted.make(text)) as [
    Redacted.Redacted,
    Redacted.Redacted,
    Redacted.Redacted,
  ];

  it("are rotated after the overlap, or at once", () => {
    const rotated = rotateSecret(initialSecrets(one), two, 100, T0);
    expect(rotated).toEqual({ current: one, next: { secret: two, activatesAt: T0 + 100 } });
    expect(secretsAt(rotated, T0 + 99)).toBe(rotated);
    expect(secretsAt(rotated, T0 + 100)).toEqual(initialSecrets(two));
    expect(rotateSecret(initialSecrets(one), two, 0, T0)).toEqual(initialSecrets(two));
    expect(rotateSecret(rotated, three, 50, T0 + 10)).toEqual({
      current: one,
      next: { secret: three, activatesAt: T0 + 60 },
    });
    expect(rotateSecret(rotated, three, 50, T0 + 100).current).toBe(two);
    expect(secretHint(one)).toBe("…AAAA");
  });

  it("sign the body with the secret's text, and id, time and body with its bytes; so does the next secret", () => {
    let prepared = 0;
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    const sign = headerSigner({
      sha256: (key) => {
        prepared++;
        return (...parts) => new TextEncoder().encode(`${text(key).slice(0, 8)}|${parts.map(text).join("")}`);
      },
    });
    const event = { id: "evt_1", type: "email.received", body: new TextEncoder().encode("{}"), attempt: 2 } as const;
    const headers = sign(event, initialSecrets(one), 1_999);
    expect(headers).toMatchObject({
      "Content-Type": "application/json",
      "X-Service-Event": "email.received",
      "X-Service-Attempt": "2",
      "webhook-id": "evt_1",
      "webhook-timestamp": "1",
    });
    expect(headers["X-Service-Signature"]).toMatch(/^sha256=[0-9a-f]+$/);
    expect(headers).not.toHaveProperty("X-Service-Signature-Next");
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    expect(prepared).toBe(2);
    const both = sign(event, rotateSecret(initialSecrets(one), two, 9_999, 1_000), 1_999);
    expect(both["X-Service-Signature"]).toBe(headers["X-Service-Signature"]);
    expect(both["X-Service-Signature-Next"]).toBe(sign(event, initialSecrets(two), 1_999)["X-Service-Signature"]);
    expect(both["webhook-signature"]!.split(" ")).toEqual([
      headers["webhook-signature"],
      sign(event, initialSecrets(two), 1_999)["webhook-signature"],
    ]);
    // A key is prepared once for each secret.
    expect(prepared).toBe(4);
  });
});
