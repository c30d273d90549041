import { workers } from "@postern/core";
import type { AccountId, RetryLadder } from "@postern/core/shared";
import { type Context, Effect, Exit, Scope } from "effect";
import type { Fact } from "./Fact.ts";
import { FaultInjection } from "./faults/FaultInjection.ts";
import { Incarnation } from "./timeline/Incarnation.ts";
import type { NodePorts } from "./nodes/NodePorts.ts";
import type { NodeServices } from "./nodes/NodeServices.ts";
import { mailServers } from "./servers/mail-servers.ts";
import { OAuthProviders } from "./servers/OAuthProviders.ts";
import type { AnsweredCall, PortCall } from "./faults/PortCall.ts";
import { ServerFaults } from "./faults/ServerFaults.ts";
import { SeededRandom } from "./timeline/SeededRandom.ts";
import { storesSent } from "./servers/server-traits.ts";
import { SmtpSink } from "./servers/SmtpSink.ts";
import type { Place } from "./nodes/Place.ts";
import { Timeline, TIMELINE_START } from "./timeline/Timeline.ts";
import type { Trace } from "./timeline/Trace.ts";
import { WebhookReceivers } from "./servers/WebhookReceivers.ts";
import { runtimeOf } from "./timeline/runtime-of.ts";
import { requestNode } from "./nodes/request-node.ts";
import { startNode } from "./nodes/start-node.ts";
import { stopNode } from "./nodes/stop-node.ts";
import type { Wiring } from "./nodes/Wiring.ts";

const DRAIN = "5 seconds";

/** A number of nodes over one store, with the servers around them. */
export class Cluster {
  readonly timeline: Timeline;
  /** The random numbers of the simulated world. */
  readonly random: SeededRandom;
  readonly faults: FaultInjection;
  readonly servers = new ServerFaults();
  readonly trace: Trace;
  readonly mail = mailServers((account, token) => this.providers.userOf(token) === account);
  readonly smtp: SmtpSink;
  readonly receivers: WebhookReceivers;
  readonly providers: OAuthProviders;
  /** The domains whose accounts are on the deployment's servers, for nodes of mode `any` that start from now on. */
  readonly imapDomains = ["sim.test"];
  /** The address from which the operator's server sends notices, for nodes that start from now on; null without such a server. */
  noticesFrom: string | null = null;
  /** The endpoints whose secrets no node can decrypt. */
  readonly unreadable = new Set<string>();
  /** The documents that assistants publish, by URL. */
  readonly documents = new Map<string, string>();
  /** The requests of the simulated users, with their answers. */
  readonly facts: Array<Fact> = [];
  /** Every incarnation of every node. */
  readonly incarnations: Array<Incarnation> = [];
  /** The waits between attempts at a webhook, in milliseconds. */
  readonly ladder: RetryLadder;
  /** Called after each call of a node that took effect. */
  readonly observers: Array<(call: AnsweredCall) => void> = [];
  /** Called with each call of a node, before any fault. */
  readonly listeners: Array<(call: PortCall) => void> = [];
  /** Called when a node stores the copy of a message in Sent. */
  onSentCopy: (node: Incarnation, messageId: string) => void = () => {};
  /** Called when messages are copied to another mailbox and the originals still exist. */
  onMoveCopied: (node: Incarnation, account: AccountId) => void = () => {};
  readonly #places: ReadonlyArray<Place>;
  readonly wiring: Wiring;
  readonly #services: SeededRandom;
  readonly #violations: Array<string> = [];
  #linesBefore: ReadonlyArray<string> = [];
  readonly #outside: Incarnation;
  #lives = 0;

  constructor(options: {
    seed: number;
    nodes: number;
    ladder: RetryLadder;
    wiring: (cluster: Cluster) => Wiring;
    trace: (now: () => number) => Trace;
  }) {
    const { seed } = options;
    const random = (salt: number) => new SeededRandom(Math.imul(seed, 0x9e37_79b1) ^ salt);
    this.timeline = new Timeline(random(1));
    this.random = random(2);
    this.faults = new FaultInjection(random(3));
    this.#services = random(4);
    this.trace = options.trace(() => this.timeline.now - TIMELINE_START);
    this.smtp = new SmtpSink(this.timeline, random(5), this.trace, this.mail, storesSent);
    this.receivers = new WebhookReceivers(this.timeline, random(6), this.trace);
    this.providers = new OAuthProviders(this.timeline, random(7));
    this.#places = Array.from({ length: options.nodes }, () => ({ node: null, started: null }));
    this.ladder = options.ladder;
    this.#outside = new Incarnation("outside", this.timeline, { offset: 0, drift: 1 });
    this.wiring = options.wiring(this);
  }

  /** The number of nodes. */
  get size(): number {
    return this.#places.length;
  }

  get violations(): ReadonlyArray<string> {
    return this.#violations;
  }

  /** The last lines of the trace before the first violation. */
  get linesBefore(): ReadonlyArray<string> {
    return this.#linesBefore;
  }

  violate(invariant: string, detail: string): void {
    this.trace.say(() => `VIOLATION of ${invariant}: ${detail}`);
    if (this.#violations.length === 0) this.#linesBefore = [...this.trace.last];
    this.#violations.push(`${invariant}: ${detail}`);
  }

  /** Whether any node serves requests. */
  get isServing(): boolean {
    return this.#places.some(({ started }) => started !== null);
  }

  boot(place: number): void {
    const { rates } = this.faults;
    const isSkewed = this.faults.isOn && this.#services.chance(rates.skew);
    const clockError = isSkewed
      ? { offset: this.#services.between(-900, 900), drift: 1 + (this.#services.next() - 0.5) / 500 }
      : { offset: 0, drift: 1 };
    const node = new Incarnation(`n${place + 1}.${++this.#lives}`, this.timeline, clockError);
    this.incarnations.push(node);
    if (isSkewed) this.faults.hit("skew");
    this.trace.say(() => `${node.name} boots${isSkewed ? `, clock ${clockError.offset} ms off` : ""}`);
    this.#places[place]!.node = node;
    const surroundings = {
      faults: this.faults,
      servers: this.servers,
      trace: this.trace,
      called: (call: PortCall) => {
        for (const listener of this.listeners) listener(call);
      },
      answered: (call: AnsweredCall) => this.observers.forEach((observer) => observer(call)),
      stop: (kind: "crash" | "pause") => stopNode(this, place, kind),
    };
    this.#fork(node, startNode(node, this.wiring, surroundings), (exit) => {
      if (node.isDead) return;
      if (Exit.isSuccess(exit)) {
        this.#places[place]!.started = { node, services: exit.value };
        return this.trace.say(() => `${node.name} serves`);
      }
      this.trace.say(() => `${node.name} does not start`);
      this.crash(place);
      this.timeline.after(1_000, () => this.#places[place]!.node ?? this.boot(place));
    });
  }

  crash(place: number): void {
    const { node } = this.#places[place]!;
    if (node === null) return;
    this.#places[place]!.node = null;
    this.#places[place]!.started = null;
    this.trace.say(() => `${node.name} crashes`);
    this.#fork(node, node.crash());
  }

  /** Pauses a node for its own duration, regardless of earlier pauses. */
  pause(node: Incarnation, millis: number): void {
    this.trace.say(() => `${node.name} pauses`);
    const turn = node.pause();
    this.timeline.after(millis, () => node.isLastPause(turn) && this.resume(node));
  }

  /** Ends all faults: every node runs, and every server answers. */
  heal(): void {
    this.trace.say(() => "faults end");
    this.faults.isOn = false;
    this.servers.clear();
    this.smtp.repair();
    this.receivers.repair();
    this.providers.repair();
    for (const [place, { node }] of this.#places.entries()) {
      if (node === null) this.boot(place);
      else {
        node.cutOffFrom.clear();
        this.resume(node);
      }
    }
  }

  /** Stops every node like a deployment: the node drains its work, then its scope closes. */
  stop(): void {
    this.trace.say(() => "all nodes stop");
    for (const { node, started } of this.#places) {
      if (node === null || started === null) continue;
      const drained = Effect.flatMap(Effect.provideContext(workers, started.services), (all) =>
        Effect.forEach(all, ({ drain }) => drain(DRAIN), { concurrency: "unbounded" }),
      );
      this.#fork(node, Effect.andThen(drained, Scope.close(node.scope, Exit.void)));
    }
  }

  resume(node: Incarnation): void {
    if (!node.isPaused) return;
    this.trace.say(() => `${node.name} resumes`);
    node.resume();
  }

  nodeAt(place: number): Incarnation | null {
    return this.#places[place]!.node;
  }

  /**
   * Makes a request at one of the serving nodes that may serve it. The answer is the exit of the use case; null if no
   * node serves, or for a reason of `requestNode`.
   */
  request<A, E>(
    name: string,
    useCase: (services: Context.Context<NodeServices>) => Effect.Effect<A, E, Scope.Scope>,
    answered: (exit: Exit.Exit<A, E> | null) => void = () => {},
    mayServe: (node: Incarnation) => boolean = () => true,
  ): void {
    const chosen = this.random.pick(
      this.#places.flatMap(({ started }) => (started !== null && mayServe(started.node) ? [started] : [])),
    );
    const patience = this.random.between(20_000, 60_000);
    if (chosen === undefined) return answered(null);
    const { node, services } = chosen;
    const fork = <B, F>(effect: Effect.Effect<B, F>, done?: (exit: Exit.Exit<B, F>) => void) =>
      this.#fork(node, effect, done);
    requestNode(this, { node, fork, patience }, name, useCase(services), answered);
  }

  /** Runs an effect on the ports without faults, at once; fails if it waits for the host. */
  ask<A, E>(effect: (ports: Context.Context<NodePorts>) => Effect.Effect<A, E, Scope.Scope>): A {
    return this.runNow(Effect.scoped(effect(this.wiring.outside)));
  }

  /** Runs an effect that needs no node; time passes while it waits. */
  runNow<A, E>(effect: Effect.Effect<A, E>): A {
    let exit: Exit.Exit<A, E> | undefined;
    this.#fork(this.#outside, effect, (done) => (exit = done));
    this.timeline.runUntil(Infinity, () => exit !== undefined);
    if (exit === undefined) throw new Error("the simulation waits for the host");
    if (Exit.isFailure(exit)) throw new Error("a check failed", { cause: exit.cause });
    return exit.value;
  }

  #fork<A, E>(node: Incarnation, effect: Effect.Effect<A, E>, done: (exit: Exit.Exit<A, E>) => void = () => {}): void {
    Effect.runForkWith(runtimeOf(node, this.timeline, this.#services))(effect).addObserver(done);
  }
}
