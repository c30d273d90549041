import { Option } from "effect";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findClaimable,
  claimDelivery,
  disableEndpoint,
  enableEndpoint,
  holdsLease,
  isDelivered,
  isHeld,
  reapDelivery,
  settleDelivery,
} from "../src/webhooks/index.ts";
import { disableExhausted } from "../src/webhooks/endpoint-state.ts";
import { UNSIGNED } from "../src/webhooks/DeliveryOutcome.ts";
import { AccountId, RETRY_LADDER } from "../src/shared/index.ts";
import { retryDelay } from "../src/shared/neighbours.ts";
import { answered, deliveryWith, endpointWith, T0 } from "./webhook-doubles.ts";

const endpoint = endpointWith();
const claimed = (delivery = deliveryWith(), now = delivery.dueAt) =>
  claimDelivery(delivery, { token: "token", until: now + 15_000 }, now);

describe("the ladder", () => {
  it("makes six attempts over 7 h 21 min, each one step after the end of the previous one [S7.5-4]", () => {
    let delivery = deliveryWith();
    const at: Array<number> = [];
    while (delivery.state === "pending") {
      at.push((delivery.dueAt - T0) / 1000);
      delivery = settleDelivery(claimed(delivery), endpoint, answered(500), delivery.dueAt, RETRY_LADDER);
    }
    expect(at).toEqual([0, 60, 360, 1260, 4860, 26460]);
    expect(delivery).toMatchObject({ state: "exhausted", step: 6, leaseToken: null, leaseUntil: null });
  });

  it("counts from the end of an attempt, not from its start", () => {
    const late = settleDelivery(claimed(), endpoint, answered(500), T0 + 15_000, RETRY_LADDER);
    expect(late).toMatchObject({ state: "pending", step: 1, dueAt: T0 + 75_000 });
  });

  it.each(["event", "resend:1"] as const)(
    "does not count an attempt that could not be signed (%s) [S7.5-7]",
    (trigger) => {
      const unsigned = settleDelivery(claimed(deliveryWith({ trigger })), endpoint, UNSIGNED, T0, []);
      expect(unsigned).toMatchObject({ state: "pending", step: 0, dueAt: T0 + 600_000, leaseToken: null });
    },
  );

  it.each([0, 1, 2, 3, 4, 5])("stops at a success on step %d", (step) => {
    const done = settleDelivery(claimed(deliveryWith({ step })), endpoint, answered(204), T0, RETRY_LADDER);
    expect(done).toMatchObject({ state: "succeeded", step, leaseToken: null });
  });

  it("accepts the operator's ladder", () => {
    const once = settleDelivery(claimed(), endpoint, answered(500), T0, [1000]);
    expect(once.dueAt).toBe(T0 + 1000);
    expect(settleDelivery(claimed(once), endpoint, answered(500), T0, [1000]).state).toBe("exhausted");
    expect(settleDelivery(claimed(), endpoint, answered(500), T0, []).state).toBe("exhausted");
  });

  it("lets a receiver lengthen a step up to twofold if the owner allows it, and never shorten it [S7.5-6]", () => {
    const dueAfter = (retryAfter: number | null, honourRetryAfter: boolean) =>
      settleDelivery(claimed(), { honourRetryAfter }, answered(503, { retryAfter }), T0, RETRY_LADDER).dueAt - T0;
    expect([null, 0, 59_999, 60_001, 90_000, 120_000, 120_001, 1e12].map((asked) => dueAfter(asked, true))).toEqual([
      60_000, 60_000, 60_000, 60_001, 90_000, 120_000, 120_000, 120_000,
    ]);
    expect(dueAfter(90_000, false)).toBe(60_000);
    fc.assert(
      fc.property(fc.nat(4), fc.double({ noNaN: true }), (step, asked) => {
        const delay = retryDelay(RETRY_LADDER, step, asked)!;
        expect(delay).toBeGreaterThanOrEqual(RETRY_LADDER[step]!);
        expect(delay).toBeLessThanOrEqual(2 * RETRY_LADDER[step]!);
      }),
    );
  });

  it("gives a resend one attempt [S7.6-7]", () => {
    const resend = deliveryWith({ trigger: "resend:r1" });
    expect(settleDelivery(claimed(resend), endpoint, answered(500), T0, RETRY_LADDER).state).toBe("exhausted");
    expect(settleDelivery(claimed(resend), endpoint, answered(200), T0, RETRY_LADDER).state).toBe("succeeded");
  });
});

describe("an outcome", () => {
  it.each([199, 300, 301, 302, 307, 308, 400, 401, 404, 410, 413, 429, 500, 503])(
    "of %d is a failure [S7.5-3]",
    (status) => {
      expect(isDelivered(answered(status))).toBe(false);
    },
  );
  it("is a success only with a complete 2xx response [S7.5-3]", () => {
    expect([200, 204, 299].map((status) => isDelivered(answered(status)))).toEqual([true, true, true]);
    expect(isDelivered(answered(200, { errorCode: "timeout" }))).toBe(false);
    expect(isDelivered(answered(200, { status: null, errorCode: "refused" }))).toBe(false);
  });
});

describe("a lost claim", () => {
  it("consumes no step", () => {
    const reaped = reapDelivery(claimed(deliveryWith({ step: 2 })), T0 + 20_000, RETRY_LADDER);
    expect(reaped).toMatchObject({ state: "pending", step: 2, dueAt: T0, lostClaims: 1, leaseToken: null });
  });

  it("counts as a failure the fifth time in a row", () => {
    let delivery = deliveryWith();
    for (let n = 0; n < 4; n++) delivery = reapDelivery(claimed(delivery), T0, RETRY_LADDER);
    expect(delivery).toMatchObject({ step: 0, lostClaims: 4 });
    const settled = settleDelivery(claimed(delivery), endpoint, answered(500), T0, RETRY_LADDER);
    expect(settled.lostClaims).toBe(0);
    expect(reapDelivery(claimed(delivery), T0 + 5, RETRY_LADDER)).toMatchObject({
      state: "pending",
      step: 1,
      lostClaims: 0,
      dueAt: T0 + 60_005,
    });
    const last = claimed(deliveryWith({ step: 5, lostClaims: 4 }));
    expect(reapDelivery(last, T0, RETRY_LADDER).state).toBe("exhausted");
  });

  it("is fenced off after another worker claimed the delivery", () => {
    const again = claimDelivery(
      reapDelivery(claimed(), T0 + 20_000, RETRY_LADDER),
      { token: "other", until: T0 + 35_000 },
      T0 + 20_000,
    );
    expect(holdsLease(again, "token")).toBe(false);
    expect(holdsLease(again, "other")).toBe(true);
    expect(holdsLease(reapDelivery(claimed(), T0, RETRY_LADDER), "token")).toBe(false);
  });
});

describe("claiming", () => {
  const many = Array.from({ length: 8 }, (_, n) => deliveryWith({ id: `d${n}`, dueAt: T0 - n, position: n }));
  const ids = (deliveries: ReadonlyArray<{ readonly id: string }>) => deliveries.map(({ id }) => id);

  it("takes the earliest due deliveries, up to the endpoint's free slots", () => {
    expect(ids(findClaimable(many, endpoint, T0))).toEqual(["d7", "d6", "d5", "d4"]);
    const busy = many.map((delivery, n) => (n < 3 ? claimed(delivery) : delivery));
    expect(ids(findClaimable(busy, endpoint, T0))).toEqual(["d7"]);
    expect(findClaimable(many, { ...endpoint, maxInFlight: 10 }, T0)).toHaveLength(8);
  });

  it("takes nothing before it is due", () => {
    expect(findClaimable([deliveryWith({ dueAt: T0 + 1 })], endpoint, T0)).toEqual([]);
    expect(findClaimable([deliveryWith({ dueAt: T0 + 1 })], endpoint, T0 + 1)).toHaveLength(1);
  });

  it("takes the earliest event of an ordered endpoint, and waits for it [S7.5-2]", () => {
    const ordered = endpointWith({ ordered: true });
    expect(ids(findClaimable(many, ordered, T0))).toEqual(["d0"]);
    const waiting = many.map((delivery, n) => (n === 0 ? { ...delivery, dueAt: T0 + 60_000 } : delivery));
    expect(findClaimable(waiting, ordered, T0)).toEqual([]);
    const held = many.map((delivery, n) => (n === 0 ? { ...delivery, generation: 0, dueAt: T0 + 60_000 } : delivery));
    expect(ids(findClaimable(held, ordered, T0))).toEqual(["d1"]);
    const inFlight = many.map((delivery, n) => (n === 0 ? claimed(delivery) : delivery));
    expect(findClaimable(inFlight, ordered, T0)).toEqual([]);
  });

  it("takes the earliest events of several accounts of an ordered endpoint at once [S10.3-34]", () => {
    const ordered = endpointWith({ ordered: true, maxInFlight: 3 });
    const ofAccounts = many.map((one, n) => ({ ...one, account: AccountId(`a${n % 4}@x.test`) }));
    expect(ids(findClaimable(ofAccounts, ordered, T0))).toEqual(["d3", "d2", "d1"]);
    const busy = ofAccounts.map((one, n) => (n === 3 ? claimed(one) : one));
    expect(ids(findClaimable(busy, ordered, T0))).toEqual(["d2", "d1"]);
    const waiting = ofAccounts.map((one, n) => (n === 2 ? { ...one, dueAt: T0 + 1 } : one));
    expect(ids(findClaimable(waiting, ordered, T0))).toEqual(["d3", "d1", "d0"]);
  });
});

describe("disabling", () => {
  const exhausted = deliveryWith({ state: "exhausted", firstAttemptAt: T0 });

  it("holds pending deliveries, and enabling leaves them held [S7.5-8]", () => {
    const disabled = disableEndpoint(endpoint, "owner", T0);
    const enabled = enableEndpoint(disabled, T0 + 1);
    expect([endpoint, disabled, enabled].map((now) => isHeld(deliveryWith(), now))).toEqual([false, true, true]);
    expect(findClaimable([deliveryWith()], disabled, T0)).toEqual([]);
    expect(findClaimable([deliveryWith()], enabled, T0)).toEqual([]);
    // Published in the disabled generation: a concurrent publisher read the endpoint before it was enabled.
    expect(isHeld(deliveryWith({ generation: disabled.generation }), enabled)).toBe(true);
    expect(isHeld(deliveryWith({ generation: enabled.generation }), enabled)).toBe(false);
  });

  it("is idempotent, like enabling [S7.6-3]", () => {
    const disabled = disableEndpoint(endpoint, "owner", T0);
    expect(disableEndpoint(disabled, "exhausted", T0 + 1)).toBe(disabled);
    expect(enableEndpoint(endpoint, T0 + 1)).toBe(endpoint);
    expect([disabled.generation, enableEndpoint(disabled, T0).generation]).toEqual([2, 3]);
  });

  it("happens and is announced once, however many deliveries are exhausted together", () => {
    let now = endpoint;
    const notices: Array<unknown> = [];
    for (let n = 0; n < 20; n++) {
      const disabled = disableExhausted(now, exhausted, T0 + 5);
      if (Option.isNone(disabled)) continue;
      now = disabled.value.endpoint;
      notices.push(disabled.value.notice);
    }
    const { owner, id: endpointId, url } = endpoint;
    expect(notices).toEqual([{ owner, endpointId, url, generation: 1, disabledAt: T0 + 5 }]);
    expect(now).toMatchObject({ state: "disabled", disabledReason: "exhausted", disabledAt: T0 + 5, generation: 2 });
  });

  it("ignores an older generation, a resend and a pending delivery [S7.6-7]", () => {
    const again = enableEndpoint(disableEndpoint(endpoint, "owner", T0), T0);
    expect(Option.isNone(disableExhausted(again, exhausted, T0))).toBe(true);
    expect(Option.isNone(disableExhausted(endpoint, { ...exhausted, trigger: "resend:r" }, T0))).toBe(true);
    expect(Option.isNone(disableExhausted(endpoint, { ...exhausted, state: "pending" }, T0))).toBe(true);
    expect(Option.isSome(disableExhausted(endpoint, { ...exhausted, trigger: "replay:r" }, T0))).toBe(true);
  });

  it("is skipped after a success in between, if the owner chose that [S7.5-5]", () => {
    const disables = (lastSuccessAt: number | null, disablePolicy: "literal" | "no_success") =>
      Option.isSome(disableExhausted(endpointWith({ lastSuccessAt, disablePolicy }), exhausted, T0 + 9));
    expect([null, T0 - 1, T0, T0 + 1].map((at) => disables(at, "no_success"))).toEqual([true, true, false, false]);
    expect(disables(T0 + 1, "literal")).toBe(true);
  });
});
