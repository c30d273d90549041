import { MailServerError } from "@postern/core/mail";
import { Effect, Exit } from "effect";
import type { DrawnFaults } from "./FaultInjection.ts";
import type { NodeSurroundings } from "./NodeSurroundings.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { PortFaults } from "./port-faults.ts";
import type { AnsweredCall, PortCall } from "./PortCall.ts";
import { stopAfter } from "./stop-after.ts";
import { shortLine } from "../timeline/short-line.ts";

export type Call = Effect.Effect<unknown, unknown, unknown>;

/** A transaction in progress. After a failed statement the connection is dead, and the transaction cannot commit. */
export interface OpenTransaction {
  isBroken: boolean;
  calls: Array<AnsweredCall>;
}

/** The ports whose commands take time even without faults, so that concurrent requests can overtake each other. */
const TIMED: ReadonlySet<string> = new Set([
  "DraftsFolder",
  "MailLogin",
  "MailboxChanges",
  "MessageChanges",
  "ServerProbe",
]);

/** The time until a call over a cut connection fails, in milliseconds. */
const CUT_MILLIS = 4_000;
/** The time until a call to an unavailable server fails, in milliseconds. */
const REFUSAL_MILLIS = 20;
/** The duration of a hanging call, in milliseconds. */
const HANG_MILLIS = 20_000;

/** The node and the port of a call, and the possible failures of the port's calls. */
export interface CallOrigin {
  readonly node: Incarnation;
  readonly port: string;
  readonly faults: PortFaults;
  readonly surroundings: NodeSurroundings;
}

/**
 * A call of a node to a port, with the faults that were drawn for it, which is usually none. The code creates as few
 * objects and operations of Effect as possible, because a seed makes tens of thousands of calls.
 */
export class FaultyCall implements PortCall {
  readonly node: Incarnation;
  readonly port: string;
  readonly method: string;
  readonly args: ReadonlyArray<unknown>;
  readonly #origin: CallOrigin;
  readonly #of: unknown;
  readonly #transaction: OpenTransaction | null;
  readonly #drawn: DrawnFaults;
  readonly #early: number;
  readonly #late: number;

  /** `of` is the account for which the mail server may refuse the call. */
  constructor(
    origin: CallOrigin,
    transaction: OpenTransaction | null,
    method: string,
    args: ReadonlyArray<unknown>,
    of: unknown,
  ) {
    const { node, port, surroundings } = origin;
    this.node = node;
    this.port = port;
    this.method = method;
    this.args = args;
    this.#origin = origin;
    this.#of = of;
    this.#transaction = transaction;
    this.#drawn = surroundings.faults.draw(port);
    this.#early = this.#drawn.early + (TIMED.has(port) ? surroundings.faults.drawTime() : 0);
    this.#late = this.#drawn.late + (surroundings.servers.lateness?.(this) ?? 0);
  }

  /** Makes the call, by running the effect unless a fault prevents it. */
  make(effect: Call): Call {
    const { trace, called } = this.#origin.surroundings;
    if (trace.isOn) trace.say(() => `${this.#name} ${shortLine(this.args)}`);
    called(this);
    this.#count(1);
    if (this.#isPlain) {
      const ended = (exit: Exit.Exit<unknown, unknown>): undefined => {
        this.#observe(exit);
        this.#count(-1);
      };
      return Effect.flatMap(Effect.onExitPrimitive(effect, ended), (answer) =>
        this.node.isOpen ? this.#arrive(answer) : through(this.node, 0, () => this.#arrive(answer)),
      );
    }
    const started = through(this.node, this.#early, () => this.#start(effect));
    return Effect.onExitPrimitive(started, (): undefined => this.#count(-1));
  }

  get #name(): string {
    return `${this.node.name} ${this.port}.${this.method}`;
  }

  get #isPlain(): boolean {
    const { failure } = this.#drawn;
    const isFree = this.#early + this.#late === 0 && failure === null;
    return isFree && this.node.isOpen && !this.#isAway && !this.#isCut && this.#refusal === undefined;
  }

  get #isCut(): boolean {
    const { faults, surroundings } = this.#origin;
    const isUnreachable = () => surroundings.servers.unreachable.has(String(this.#of));
    return this.node.cutOffFrom.has(faults.target) || (faults.target === "mail" && isUnreachable());
  }

  get #isAway(): boolean {
    const { faults, surroundings } = this.#origin;
    return faults.target === "store" && surroundings.servers.isStoreAway;
  }

  /** The failure of a change that the mail server refuses; undefined for an accepted change. */
  get #refusal(): Call | undefined {
    const { faults, surroundings } = this.#origin;
    if (faults.refusable === undefined) return undefined;
    const reason = surroundings.servers.refusals.get(String(this.#of));
    const { byRights, byQuota } = faults.refusable;
    const refused = reason === "over_quota" ? byQuota : byRights;
    if (reason === undefined || !refused.includes(this.method)) return undefined;
    return Effect.fail(new MailServerError({ reason, operation: this.method, detail: "simulated" }));
  }

  #start(effect: Call): Call {
    const { failed } = this.#origin.faults;
    const { failure } = this.#drawn;
    if (this.#isAway) return after(this.node.wait(REFUSAL_MILLIS), () => this.#fail("outage", failed));
    if (this.#isCut) return after(this.node.wait(CUT_MILLIS), () => this.#fail("partition", failed));
    const refused = this.#refusal;
    if (refused !== undefined) return this.#fail("refusal", refused);
    if (failure === "before") return this.#fail("before", failed);
    if (failure === "hang") return after(this.node.wait(HANG_MILLIS), () => this.#fail("hang", failed));
    return Effect.flatMap(
      Effect.onExitPrimitive(effect, (exit) => this.#observe(exit)),
      (answer) => through(this.node, this.#late, () => this.#arrive(answer)),
    );
  }

  #arrive(answer: unknown): Call {
    const { lost } = this.#origin.faults;
    if (this.#isAway) return this.#fail("outage", lost(answer));
    if (this.#isCut) return this.#fail("partition", lost(answer));
    return this.#drawn.failure === "after" ? this.#fail("after", lost(answer)) : Effect.succeed(answer);
  }

  #fail(kind: CallFault, answer: Call): Call {
    const { faults, surroundings } = this.#origin;
    surroundings.faults.hit(kind, this.port);
    surroundings.trace.say(() => `${this.#name} fault: ${kind}`);
    if (this.#transaction !== null && faults.target === "store") this.#transaction.isBroken = true;
    return answer;
  }

  #observe(exit: Exit.Exit<unknown, unknown>): undefined {
    const { surroundings } = this.#origin;
    const { trace } = surroundings;
    if (trace.isOn)
      trace.say(() => (Exit.isFailure(exit) ? `${this.#name} failed` : `${this.#name} = ${shortLine(exit.value)}`));
    if (Exit.isFailure(exit)) return;
    const { node, port, method, args } = this;
    const call = { node, port, method, args, answer: exit.value, commit: this.#transaction ?? {} };
    if (this.#transaction !== null) return void this.#transaction.calls.push(call);
    surroundings.answered(call);
    if (port !== "Transaction") stopAfter([call], surroundings);
  }

  #count(by: number): undefined {
    const { calls } = this.node;
    return void calls.set(this.port, (calls.get(this.port) ?? 0) + by);
  }
}

type CallFault = "before" | "after" | "hang" | "partition" | "outage" | "refusal";

const after = (wait: Effect.Effect<void>, next: () => Call): Call => Effect.andThen(wait, Effect.suspend(next));

/** Waits, then passes the gate of a node. */
const through = (node: Incarnation, wait: number, next: () => Call): Call => {
  if (wait > 0) return after(Effect.andThen(node.gate, Effect.andThen(node.wait(wait), node.gate)), next);
  return node.isOpen ? next() : after(node.gate, next);
};
