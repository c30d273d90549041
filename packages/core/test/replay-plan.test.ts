import { describe, expect, it } from "vitest";
import { type Delivery } from "../src/webhooks/index.ts";
import { type ReplayState, replayPlan } from "../src/webhooks/replay-plan.ts";
import { deliveryWith, endpointWith, T0 } from "./webhook-doubles.ts";

const endpoint = endpointWith({ generation: 3 });
const held = deliveryWith({ id: "held", generation: 1, step: 4, dueAt: T0 + 9, firstAttemptAt: T0, lostClaims: 2 });
const exhausted = deliveryWith({ id: "exhausted", state: "exhausted", generation: 1, step: 6 });
const succeeded = deliveryWith({ id: "succeeded", state: "succeeded", generation: 1 });
const inFlight = deliveryWith({ id: "in flight", state: "in_flight", generation: 1 });
const due = deliveryWith({ id: "due", generation: 3 });

const plan = (deliveries: ReadonlyArray<Delivery>, states: ReadonlyArray<ReplayState> = ["held", "exhausted"]) =>
  replayPlan(deliveries, endpoint, { newId: "new", requestId: "r1", states }, T0 + 100);
const NOTHING = { current: null, cancelled: [], added: null };

describe("replay of an event", () => {
  it("makes one held delivery due with its whole ladder, and cancels the others", () => {
    const other = { ...held, id: "other" };
    expect(plan([held, other, exhausted])).toEqual({
      current: { ...held, generation: 3, step: 0, dueAt: T0 + 100, firstAttemptAt: null, lostClaims: 0 },
      cancelled: [{ ...other, state: "cancelled" }],
      added: null,
    });
  });

  it("adds a new delivery if all are exhausted", () => {
    const added = deliveryWith({ id: "new", generation: 3, trigger: "replay:r1", dueAt: T0 + 100 });
    expect(plan([exhausted])).toEqual({ ...NOTHING, added });
  });

  it("leaves deliveries alone that succeeded, are due or in flight [S7.5-9]", () => {
    expect(plan([succeeded])).toEqual(NOTHING);
    expect(plan([due, exhausted])).toEqual(NOTHING);
    expect(plan([inFlight, held])).toEqual(NOTHING);
    expect(plan([])).toEqual(NOTHING);
    expect(plan([{ ...held, state: "cancelled" }])).toEqual(NOTHING);
  });

  it("cancels held deliveries of a delivered event", () => {
    expect(plan([succeeded, held])).toEqual({ ...NOTHING, cancelled: [{ ...held, state: "cancelled" }] });
  });

  it("includes only the requested states", () => {
    expect(plan([held], ["exhausted"])).toEqual(NOTHING);
    expect(plan([exhausted], ["held"])).toEqual(NOTHING);
  });

  it("prefers a delivery with a ladder to a resend", () => {
    const resend = { ...held, id: "resend", trigger: "resend:x" as const };
    expect(plan([resend, held])).toMatchObject({ current: { id: "held" }, cancelled: [{ id: "resend" }] });
  });

  it("adds nothing when repeated", () => {
    const first = plan([held, exhausted]);
    expect(plan([first.current!, exhausted])).toEqual(NOTHING);
    expect(plan([exhausted, plan([exhausted]).added!])).toEqual(NOTHING);
  });
});
