import { SECOND } from "../../durations.ts";

/** The settings of an endpoint, in the order in which they are compared. */
export interface ModelSettings {
  url: string;
  events: ReadonlyArray<string>;
  folders: ReadonlyArray<string>;
  description: string;
  disablePolicy: "literal" | "no_success";
  honourRetryAfter: boolean;
  ordered: boolean;
  maxInFlight: number;
}

/** An event of the ledger. */
export interface ModelEvent {
  readonly id: string;
  readonly type: string;
  readonly at: number;
  /** The place of the event in the ledger of its account. */
  readonly place: number;
}

/** One event for one endpoint. */
export interface ModelDelivery {
  readonly event: ModelEvent;
  readonly isResend: boolean;
  readonly number: number;
  state: "pending" | "in_flight" | "succeeded" | "exhausted" | "cancelled";
  generation: number;
  step: number;
  due: number;
  firstAt: number | null;
}

/** The time after which a POST to a silent receiver counts as failed. [S7.5-4] */
export const TIMEOUT = 10 * SECOND;

/** The time in which attempts may end in another order than their POSTs arrived, in milliseconds. */
const MOMENT = 20;

/** An endpoint as the specification describes it (7.5, 7.6). */
export class ModelEndpoint {
  readonly id: string;
  readonly createdAt: number;
  settings: ModelSettings;
  isEnabled = true;
  disabledReason: "owner" | "exhausted" | null = null;
  disabledAt: number | null = null;
  generation = 1;
  failures = 0;
  lastStatus: number | null = null;
  /** When an attempt ended last, and whether one with another status ended in the same moment, so that the order is unknown. */
  lastEnd = { at: -Infinity, isUncertain: false };
  lastSuccessAt = -Infinity;
  /** The secrets that may sign: until `until`, the one before signs as well. */
  secrets: { current: string; next: { readonly secret: string; readonly from: number } | null };
  /** The receiver's answers: 200, 500, or none within the time. */
  conduct: 200 | 500 | null = 200;
  readonly deliveries: Array<ModelDelivery> = [];
  /** The reasons in the events about the end of the endpoint. */
  readonly ends: Array<string> = [];
  isRemoved = false;
  #number = 0;
  readonly #ladder: ReadonlyArray<number>;

  constructor(id: string, at: number, settings: ModelSettings, secret: string, ladder: ReadonlyArray<number>) {
    this.id = id;
    this.createdAt = at;
    this.settings = settings;
    this.secrets = { current: secret, next: null };
    this.#ladder = ladder;
  }

  isHeld({ state, generation }: ModelDelivery): boolean {
    return state === "pending" && (!this.isEnabled || generation !== this.generation);
  }

  isCurrent(delivery: ModelDelivery): boolean {
    return delivery.state === "pending" && !this.isHeld(delivery);
  }

  /** Whether a POST may arrive: the delivery is due, or was claimed when the endpoint was disabled. */
  mayArrive(delivery: ModelDelivery, now: number): boolean {
    const { disabledAt, generation } = this;
    const isJustDisabled = disabledAt !== null && now - disabledAt < SECOND;
    return (
      this.isCurrent(delivery) ||
      (isJustDisabled && delivery.state === "pending" && delivery.generation === generation - 1)
    );
  }

  /** Returns the state of a delivery as its owner sees it. */
  stateOf(delivery: ModelDelivery): string {
    return this.isHeld(delivery) ? "held" : delivery.state;
  }

  add(event: ModelEvent, now: number, isResend = false): void {
    const number = ++this.#number;
    const { generation } = this;
    this.deliveries.push({
      event,
      isResend,
      number,
      generation,
      state: "pending",
      step: 0,
      due: now,
      firstAt: null,
    });
  }

  /** The secret that signs at a time, and the one that signs as well. */
  secretsAt(now: number): ReadonlyArray<string> {
    const { current, next } = this.secrets;
    if (next === null) return [current];
    return next.from <= now ? [next.secret] : [current, next.secret];
  }

  /** Whether one secret replaces the other just now. */
  isRotating(now: number): boolean {
    return this.secrets.next !== null && Math.abs(this.secrets.next.from - now) < SECOND;
  }

  rotate(secret: string, overlap: number, now: number): void {
    const [current] = this.secretsAt(now);
    this.secrets = { current: current!, next: { secret, from: now + overlap } };
  }

  disable(reason: "owner" | "exhausted", now: number): void {
    if (!this.isEnabled) return;
    this.isEnabled = false;
    this.disabledReason = reason;
    this.disabledAt = now;
    this.generation++;
    this.ends.push(reason);
  }

  enable(): void {
    if (this.isEnabled) return;
    this.isEnabled = true;
    this.disabledReason = null;
    this.disabledAt = null;
    this.generation++;
    this.failures = 0;
  }

  /** Records the end of an attempt. [S7.5-3] [S7.5-4] [S7.5-5] [S7.5-6] */
  ended(delivery: ModelDelivery, status: 200 | 500 | null, now: number, retryAfter: number | null = null): void {
    const isSame = now - this.lastEnd.at < MOMENT;
    this.lastEnd = { at: now, isUncertain: isSame && (this.lastEnd.isUncertain || status !== this.lastStatus) };
    this.lastStatus = status;
    if (status === 200) {
      this.lastSuccessAt = Math.max(this.lastSuccessAt, now);
      this.failures = 0;
      delivery.state = "succeeded";
      return;
    }
    this.failures++;
    const wait = delivery.isResend ? undefined : this.#ladder[delivery.step];
    delivery.step++;
    if (wait !== undefined) {
      delivery.state = "pending";
      const asked = this.settings.honourRetryAfter ? (retryAfter ?? 0) : 0;
      delivery.due = now + Math.min(Math.max(wait, asked), 2 * wait);
      return;
    }
    delivery.state = "exhausted";
    if (delivery.isResend || !this.isEnabled || delivery.generation !== this.generation) return;
    if (this.settings.disablePolicy === "no_success" && this.lastSuccessAt >= delivery.firstAt!) return;
    this.disable("exhausted", now);
  }

  /** Replays events of a time; returns how many deliveries this queues. [S7.5-9] */
  replay(since: number, until: number, states: ReadonlyArray<string>, now: number): number {
    const events = new Set(
      this.deliveries.flatMap(({ event }) => (event.at >= since && event.at < until ? [event] : [])),
    );
    let queued = 0;
    for (const event of events) {
      const mine = this.deliveries.filter((one) => one.event === event);
      const held = mine.filter((one) => this.isHeld(one));
      if (!mine.some(({ state }) => state === "pending" || state === "exhausted")) continue;
      if (mine.some(({ state }) => state === "succeeded")) {
        for (const one of held) one.state = "cancelled";
        continue;
      }
      if (mine.some((one) => one.state === "in_flight" || this.isCurrent(one))) continue;
      const [chosen, ...others] = held.toSorted((a, b) => Number(a.isResend) - Number(b.isResend));
      if (chosen !== undefined) {
        if (!states.includes("held")) continue;
        Object.assign(chosen, { generation: this.generation, step: 0, due: now, firstAt: null });
        for (const one of others) one.state = "cancelled";
        queued++;
      } else if (states.includes("exhausted")) {
        this.add(event, now);
        queued++;
      }
    }
    return queued;
  }
}
