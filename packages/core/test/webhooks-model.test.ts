import { Option } from "effect";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  findClaimable,
  claimDelivery,
  type Delivery,
  type DeliveryOutcome,
  disableEndpoint,
  enableEndpoint,
  type Endpoint,
  holdsLease,
  isHeld,
  newDelivery,
  reapDelivery,
  attemptOf,
  outcomesOf,
  recordOutcomes,
  settleDelivery,
} from "../src/webhooks/index.ts";
import { disableExhausted, editEndpoint } from "../src/webhooks/endpoint-state.ts";
import { replayPlan } from "../src/webhooks/replay-plan.ts";
import { AccountId, RETRY_LADDER } from "../src/shared/index.ts";
import { answered, endpointWith, T0 } from "./webhook-doubles.ts";

const LEASE = 15_000;
const MINUTE = 60_000;

/** The accounts of the events; they take turns. */
const ACCOUNTS = [AccountId("demo@postern.test"), AccountId("friend@postern.test")];

interface Claim {
  readonly id: string;
  readonly token: string;
}

/** The observed history of one delivery since it was published or last replayed. */
interface Run {
  readonly failedAt: Array<number>;
  lostInARow: number;
}

/** One endpoint with random events, and an oracle that records what it observed. */
class World {
  now = T0;
  endpoint: Endpoint;
  readonly deliveries = new Map<string, Delivery>();
  readonly claims: Array<Claim> = [];
  readonly delivered = new Map<string, number>();
  readonly notices: Array<number> = [];
  readonly runs = new Map<string, Run>();
  readonly events: Array<string> = [];
  #ids = 0;

  constructor(settings: Partial<Endpoint>) {
    this.endpoint = endpointWith(settings);
  }

  id(): string {
    return `d${String(++this.#ids).padStart(6, "0")}`;
  }

  add(delivery: Delivery): void {
    this.deliveries.set(delivery.id, delivery);
    this.runs.set(delivery.id, { failedAt: [], lostInARow: 0 });
  }

  /** A publisher may have read the endpoint before it was disabled or enabled. */
  publish(stale: boolean): void {
    const eventId = `evt_${this.events.length}`;
    this.events.push(eventId);
    const generation = Math.max(1, this.endpoint.generation - (stale ? 1 : 0));
    // Events with equal times, and some from a clock that is behind: only the position gives the order.
    const occurredAt = this.now - (this.events.length % 3);
    const account = ACCOUNTS[this.events.length % ACCOUNTS.length]!;
    const event = { eventId, account, type: "email.received" as const, occurredAt, position: this.events.length };
    this.add(newDelivery(this.id(), event, { ...this.endpoint, generation }, "event", this.now));
  }

  claim(): void {
    const all = [...this.deliveries.values()];
    const taken = findClaimable(all, this.endpoint, this.now);
    if (this.endpoint.state === "disabled") expect(taken).toEqual([]);
    for (const delivery of taken) {
      expect(delivery.generation).toBe(this.endpoint.generation);
      this.#isOnTime(delivery);
      if (this.endpoint.ordered) {
        const earlier = all.filter(
          (other) =>
            other.id !== delivery.id &&
            other.account === delivery.account &&
            (other.state === "in_flight" ||
              (other.state === "pending" && !isHeld(other, this.endpoint) && other.position < delivery.position)),
        );
        expect(earlier).toEqual([]);
      }
      const token = `t${++this.#ids}`;
      this.claims.push({ id: delivery.id, token });
      this.deliveries.set(delivery.id, claimDelivery(delivery, { token, until: this.now + LEASE }, this.now));
    }
    const inFlight = [...this.deliveries.values()].filter(({ state }) => state === "in_flight");
    if (taken.length > 0) expect(inFlight.length).toBeLessThanOrEqual(this.endpoint.maxInFlight);
  }

  /** Never early: one step after the last failure, at most twice that if the receiver may lengthen it. */
  #isOnTime({ id, dueAt, trigger }: Delivery): void {
    const { failedAt } = this.runs.get(id)!;
    expect(failedAt.length).toBeLessThan(trigger.startsWith("resend:") ? 1 : 6);
    expect(this.now).toBeGreaterThanOrEqual(dueAt);
    const last = failedAt.at(-1);
    if (last === undefined) return;
    const step = RETRY_LADDER[failedAt.length - 1]!;
    expect(dueAt - last).toBeGreaterThanOrEqual(step);
    expect(dueAt - last).toBeLessThanOrEqual(this.endpoint.honourRetryAfter ? 2 * step : step);
  }

  settle(nth: number, outcome: DeliveryOutcome): void {
    const claim = this.claims[nth % Math.max(1, this.claims.length)];
    if (claim === undefined) return;
    const delivery = this.deliveries.get(claim.id)!;
    // No row changed, because another worker took over the claim.
    if (!holdsLease(delivery, claim.token)) return;
    const settled = settleDelivery(delivery, this.endpoint, outcome, this.now, RETRY_LADDER);
    const attempt = attemptOf(delivery, 1, this.now, { ...outcome, ms: 0 });
    this.endpoint = recordOutcomes(this.endpoint, outcomesOf([{ delivery, attempt }])[0]!);
    const run = this.runs.get(claim.id)!;
    run.lostInARow = 0;
    if (settled.state === "succeeded") {
      this.delivered.set(delivery.eventId, (this.delivered.get(delivery.eventId) ?? 0) + 1);
      this.deliveries.set(claim.id, settled);
    } else {
      this.#failed(settled);
    }
  }

  reap(): void {
    for (const delivery of this.deliveries.values()) {
      if (delivery.state !== "in_flight" || delivery.leaseUntil! > this.now) continue;
      const run = this.runs.get(delivery.id)!;
      const reaped = reapDelivery(delivery, this.now, RETRY_LADDER);
      if (++run.lostInARow < 5) {
        expect(reaped).toMatchObject({ state: "pending", step: delivery.step, dueAt: delivery.dueAt });
        this.deliveries.set(delivery.id, reaped);
      } else {
        run.lostInARow = 0;
        this.#failed(reaped);
      }
    }
  }

  #failed(delivery: Delivery): void {
    const { failedAt } = this.runs.get(delivery.id)!;
    failedAt.push(this.now);
    this.deliveries.set(delivery.id, delivery);
    const last = delivery.trigger.startsWith("resend:") ? 1 : 6;
    expect(delivery.state).toBe(failedAt.length === last ? "exhausted" : "pending");
    const before = this.endpoint;
    const disabled = disableExhausted(before, delivery, this.now);
    const due =
      delivery.state === "exhausted" &&
      last === 6 &&
      before.state === "enabled" &&
      before.generation === delivery.generation;
    if (before.disablePolicy === "literal") expect(Option.isSome(disabled)).toBe(due);
    if (Option.isNone(disabled)) return;
    expect(due).toBe(true);
    this.endpoint = disabled.value.endpoint;
    this.notices.push(disabled.value.notice.generation);
  }

  replay(): void {
    if (this.endpoint.state === "disabled") return;
    const requestId = String(++this.#ids);
    for (const eventId of this.events) {
      const rows = [...this.deliveries.values()].filter((delivery) => delivery.eventId === eventId);
      const request = { newId: this.id(), requestId, states: ["held", "exhausted"] as const };
      const { current, cancelled, added } = replayPlan(rows, this.endpoint, request, this.now);
      for (const row of cancelled) this.deliveries.set(row.id, row);
      for (const row of [current, added]) if (row !== null) this.add(row);
      if ((this.delivered.get(eventId) ?? 0) > 0) expect(current ?? added).toBeNull();
      const waiting = [...this.deliveries.values()].filter(
        (row) =>
          row.eventId === eventId &&
          !row.trigger.startsWith("resend:") &&
          (row.state === "in_flight" || (row.state === "pending" && !isHeld(row, this.endpoint))),
      );
      expect(waiting.length).toBeLessThanOrEqual(1);
    }
  }

  resend(nth: number): void {
    const eventId = this.events[nth % Math.max(1, this.events.length)];
    if (eventId === undefined || this.endpoint.state === "disabled") return;
    const original = [...this.deliveries.values()].find((delivery) => delivery.eventId === eventId)!;
    this.add(newDelivery(this.id(), original, this.endpoint, `resend:${++this.#ids}`, this.now));
  }

  /** Three days of the same response. */
  outage(outcome: DeliveryOutcome): void {
    for (let half = 0; half < 6; half++) {
      this.claim();
      for (let n = 0; n < this.claims.length; n++) this.settle(n, outcome);
      this.now += 12 * 60 * MINUTE;
      this.reap();
    }
  }

  /** After any history, an enabled endpoint that responds gets every event by one replay. */
  everythingArrives(): void {
    this.now += 2 * 24 * 60 * MINUTE;
    this.reap();
    this.endpoint = enableEndpoint(this.endpoint, this.now);
    this.replay();
    for (let rounds = 0; rounds < 1000; rounds++) {
      const before = this.claims.length;
      this.claim();
      if (this.claims.length === before) break;
      for (let n = before; n < this.claims.length; n++) this.settle(n, answered(200));
    }
    for (const eventId of this.events) expect(this.delivered.get(eventId) ?? 0).toBeGreaterThanOrEqual(1);
  }
}

type Step = (world: World) => void;
const outcomes = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      answered(500),
      answered(302),
      answered(200, { errorCode: "timeout" }),
      answered(503, { retryAfter: 1e9 }),
    ),
  },
  { weight: 1, arbitrary: fc.constant(answered(204)) },
);
const jump = (by: fc.Arbitrary<number>) =>
  by.map(
    (ms): Step =>
      (world) =>
        void (world.now += ms),
  );
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: outcomes.map(
      (outcome): Step =>
        (world) =>
          world.outage(outcome),
    ),
  },
  {
    weight: 6,
    arbitrary: fc.boolean().map(
      (stale): Step =>
        (world) =>
          world.publish(stale),
    ),
  },
  { weight: 12, arbitrary: fc.constant<Step>((world) => world.claim()) },
  {
    weight: 12,
    arbitrary: fc.tuple(fc.nat(1000), outcomes).map(
      ([nth, outcome]): Step =>
        (world) =>
          world.settle(nth, outcome),
    ),
  },
  {
    weight: 12,
    arbitrary: outcomes.map((outcome): Step => (world) => {
      world.claim();
      for (let n = 0; n < world.claims.length; n++) world.settle(n, outcome);
    }),
  },
  { weight: 8, arbitrary: jump(fc.constantFrom(1, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE)) },
  { weight: 2, arbitrary: jump(fc.integer({ min: -60 * MINUTE, max: 24 * 60 * MINUTE })) },
  { weight: 4, arbitrary: fc.constant<Step>((world) => world.reap()) },
  {
    weight: 2,
    arbitrary: fc.constant<Step>(
      (world) => void (world.endpoint = disableEndpoint(world.endpoint, "owner", world.now)),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constant<Step>((world) => void (world.endpoint = enableEndpoint(world.endpoint, world.now))),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Step>(
      (world) => void (world.endpoint = editEndpoint(world.endpoint, { url: "https://other.example.com/" }, world.now)),
    ),
  },
  { weight: 2, arbitrary: fc.constant<Step>((world) => world.replay()) },
  {
    weight: 2,
    arbitrary: fc.nat(100).map(
      (nth): Step =>
        (world) =>
          world.resend(nth),
    ),
  },
);

it.each([
  ["literal", {}],
  ["no_success", { disablePolicy: "no_success", honourRetryAfter: true }],
  ["ordered", { ordered: true }],
  ["one at a time", { maxInFlight: 1 }],
] as const)("an endpoint that is %s keeps all guarantees in any sequence of events", (_, settings) => {
  const seen = { notices: 0, retries: 0, exhausted: 0 };
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 120, size: "max" }), (run) => {
      const world = new World(settings);
      for (const step of run) {
        step(world);
        expect(new Set(world.notices).size, "one notice for each generation").toBe(world.notices.length);
      }
      for (const { failedAt } of world.runs.values()) seen.retries = Math.max(seen.retries, failedAt.length);
      seen.notices += world.notices.length;
      world.everythingArrives();
    }),
    { numRuns: 300, seed: 20261121 },
  );
  // The runs must reach the ends of ladders, otherwise they prove little.
  expect(seen.retries).toBe(6);
  expect(seen.notices).toBeGreaterThan(5);
});
