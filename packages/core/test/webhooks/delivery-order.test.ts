import { describe, expect, it } from "vitest";
import { findClaimable, nextWakeUp } from "../../src/webhooks/index.ts";
import { attemptOf } from "../../src/webhooks/delivery-state.ts";
import { answered, deliveryWith, endpointWith, T0 } from "../webhook-doubles.ts";

const ids = (of: ReadonlyArray<{ readonly id: string }>) => of.map(({ id }) => id);

describe("deliveries that are due", () => {
  it("are sent the earliest first, and by their ids if they are due at once", () => {
    const due = (id: string, dueAt: number) => deliveryWith({ id, dueAt });
    const all = [due("c", T0), due("a", T0), due("b", T0), due("d", T0 - 1), due("e", T0 + 1)];
    expect(ids(findClaimable(all, endpointWith(), T0))).toEqual(["d", "a", "b", "c"]);
    expect(ids(findClaimable(all, endpointWith({ maxInFlight: 2 }), T0))).toEqual(["d", "a"]);
  });

  it("of one place in the ledger are sent by their ids to an ordered endpoint", () => {
    const at = (id: string, position: number) => deliveryWith({ id, position });
    const ordered = endpointWith({ ordered: true });
    expect(ids(findClaimable([at("c", 2), at("b", 2), at("a", 3)], ordered, T0))).toEqual(["b"]);
    expect(ids(findClaimable([at("b", 2), at("c", 2), at("a", 3)], ordered, T0))).toEqual(["b"]);
  });

  it("wait while more are in flight than the endpoint now allows", () => {
    const inFlight = ["a", "b", "c"].map((id) => deliveryWith({ id, state: "in_flight", leaseUntil: T0 + 5 }));
    expect(findClaimable([...inFlight, deliveryWith()], endpointWith({ maxInFlight: 2 }), T0)).toEqual([]);
    expect(nextWakeUp([...inFlight, deliveryWith()], endpointWith({ maxInFlight: 2 }))).toBe(T0 + 5);
  });
});

describe("an attempt in the log", () => {
  const delivery = deliveryWith();
  const headers = { "webhook-id": "evt_1", "X-Service-Attempt": "2" };

  it("has the answer and the sent headers", () => {
    expect(attemptOf(delivery, 2, T0, answered(500, { ms: 7, excerpt: "no" }), headers)).toEqual({
      deliveryId: delivery.id,
      n: 2,
      startedAt: T0,
      ms: 7,
      status: 500,
      errorCode: null,
      excerpt: "no",
      remoteIp: "192.0.2.1",
      headers: "webhook-id: evt_1\nX-Service-Attempt: 2",
    });
  });

  it("has no headers if there were none or no connection was made", () => {
    expect(attemptOf(delivery, 1, T0, answered(200)).headers).toBeNull();
    expect(attemptOf(delivery, 1, T0, answered(200, { remoteIp: null }), headers).headers).toBeNull();
  });
});
