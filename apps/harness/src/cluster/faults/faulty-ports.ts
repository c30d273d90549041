import { MailServerError } from "@postern/core/mail";
import { StoreUnavailable, type Transaction } from "@postern/core/shared";
import { Context, Effect, Exit } from "effect";
import type { FaultInjection } from "./FaultInjection.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import { PORT_FAULTS, type PortFaults } from "./port-faults.ts";
import type { AnsweredCall, PortCall } from "./PortCall.ts";
import type { Refusal, ServerFaults } from "./ServerFaults.ts";
import { shortLine } from "../timeline/short-line.ts";
import type { Trace } from "../timeline/Trace.ts";

/** The parts of the cluster that the ports of a node need. */
export interface FaultySurroundings {
  readonly faults: FaultInjection;
  readonly servers: ServerFaults;
  readonly trace: Trace;
  /** Called with each call, before any fault. */
  readonly called: (call: PortCall) => void;
  readonly answered: (call: AnsweredCall) => void;
  /** Ends or pauses the node before the answer to a call reaches it. */
  readonly stop: (kind: "crash" | "pause") => void;
}

/** A transaction in progress. After a failed statement the connection is dead, and the transaction cannot commit. */
interface OpenTransaction {
  isBroken: boolean;
  calls: Array<AnsweredCall>;
}

const CurrentTransaction = Context.Reference<OpenTransaction | null>("@postern/harness/OpenTransaction", {
  defaultValue: () => null,
});

type Call = Effect.Effect<unknown, unknown, unknown>;

/** The ports whose commands take time without faults, too, so that two requests at once can overtake each other. */
const TIMED: ReadonlySet<string> = new Set([
  "DraftsFolder",
  "MailLogin",
  "MailboxChanges",
  "MessageChanges",
  "ServerProbe",
]);

/** The methods after which a node may stop: another node then has to find their effects. */
const EFFECTS: ReadonlySet<string> = new Set(
  (
    "answer append change changeWaiting claim claimOne create deliver destroy finish flag insert issue keep markRejected " +
    "move moveBatch postpone refresh remove rename renew replace run save send setFlags settle take"
  ).split(" "),
);

/** How long a call over a cut connection takes to fail, in milliseconds. */
const CUT_MILLIS = 4_000;
/** How long a call to an unavailable server takes to fail, in milliseconds. */
const REFUSAL_MILLIS = 20;
/** How long a call hangs, in milliseconds. */
const HANG_MILLIS = 20_000;

const unavailable = Effect.fail(new StoreUnavailable({ detail: "the transaction is broken" }));

/** Returns the ports of a node, each behind the node's gate and the faults of `PORT_FAULTS`. */
export const faultyPorts = <Ports>(
  node: Incarnation,
  ports: Context.Context<Ports>,
  surroundings: FaultySurroundings,
): Context.Context<Ports> => {
  const wrapped = [...ports.mapUnsafe].map(([key, service]: [string, unknown]): [string, unknown] => {
    const port = key.slice(key.lastIndexOf("/") + 1);
    const faults = key.includes("/ports/") ? PORT_FAULTS.get(port) : undefined;
    if (faults === undefined) return [key, service];
    const call = callsOf(node, port, faults, surroundings);
    if (port !== "Transaction") return [key, throughCalls(service, faults, call)];
    return [key, transactions(service as Transaction["Service"], call, surroundings)];
  });
  return Context.makeUnsafe(new Map(wrapped));
};

/**
 * Makes a call to a port. `of` is the first argument of the call or, for a member of a returned object, of the call
 * that returned the object.
 */
type MakeCall = (method: string, args: ReadonlyArray<unknown>, effect: Call, of?: unknown) => Call;

const callsOf =
  (
    node: Incarnation,
    port: string,
    { target, failed, lost, refusable }: PortFaults,
    surroundings: FaultySurroundings,
  ): MakeCall =>
  (method, args, effect, of = args[0]) =>
    // Most calls meet no fault. They use as few operations of Effect as possible, because a seed makes ten thousand of
    // them.
    Effect.withFiber((fiber): Call => {
      const { faults, servers, trace, called, answered } = surroundings;
      const transaction = fiber.getRef(CurrentTransaction);
      if (transaction?.isBroken === true && target === "store") return unavailable;
      const { early: slow, late, failure } = faults.draw(port);
      const early = slow + (TIMED.has(port) ? faults.drawTime() : 0);
      const name = `${node.name} ${port}.${method}`;
      const isCut = () => node.cutOffFrom.has(target) || (target === "mail" && servers.unreachable.has(String(of)));
      const isAway = () => target === "store" && servers.isStoreAway;
      const refusal = () => refusable && refusalOf(refusable, method, servers.refusals.get(String(of)));
      const fail = (kind: CallFault, answer: Call): Call => {
        faults.hit(kind, port);
        trace.say(() => `${name} fault: ${kind}`);
        if (transaction !== null && target === "store") transaction.isBroken = true;
        return answer;
      };
      const observe = (exit: Exit.Exit<unknown, unknown>): undefined => {
        trace.say(() => (Exit.isFailure(exit) ? `${name} failed` : `${name} = ${shortLine(exit.value)}`));
        if (Exit.isFailure(exit)) return;
        const call = { node, port, method, args, answer: exit.value, commit: transaction ?? {} };
        if (transaction !== null) return void transaction.calls.push(call);
        answered(call);
        if (port !== "Transaction") stopAfter([call], surroundings);
      };
      const start = (): Call => {
        if (isAway()) return after(node.wait(REFUSAL_MILLIS), () => fail("outage", failed));
        if (isCut()) return after(node.wait(CUT_MILLIS), () => fail("partition", failed));
        const refused = refusal();
        if (refused !== undefined) return fail("refusal", refused);
        if (failure === "before") return fail("before", failed);
        if (failure === "hang") return after(node.wait(HANG_MILLIS), () => fail("hang", failed));
        return Effect.flatMap(Effect.onExitPrimitive(effect, observe), (answer) =>
          through(node, late, () => arrive(answer)),
        );
      };
      const isPlain = () =>
        early + late === 0 && failure === null && node.isOpen && !isAway() && !isCut() && refusal() === undefined;
      const arrive = (answer: unknown): Call => {
        if (isAway()) return fail("outage", lost(answer));
        if (isCut()) return fail("partition", lost(answer));
        return failure === "after" ? fail("after", lost(answer)) : Effect.succeed(answer);
      };
      trace.say(() => `${name} ${shortLine(args)}`);
      called({ node, port, method, args });
      count(node, port, 1);
      if (isPlain()) {
        const ended = (exit: Exit.Exit<unknown, unknown>): undefined => {
          observe(exit);
          count(node, port, -1);
        };
        return Effect.flatMap(Effect.onExitPrimitive(effect, ended), (answer) =>
          through(node, 0, () => arrive(answer)),
        );
      }
      return Effect.onExitPrimitive(through(node, early, start), () => count(node, port, -1));
    });

/** Draws whether the node stops before it gets the answers to calls that changed something, and stops it. */
const stopAfter = (calls: ReadonlyArray<AnsweredCall>, { faults, stop }: FaultySurroundings): void => {
  const changes = calls.filter(({ port, method }) => EFFECTS.has(method) && port !== "AccountWatches");
  const [first] = changes;
  if (first === undefined || !first.node.isOpen) return;
  const names = new Set(changes.map(({ port, method }) => `${port}.${method}`));
  const kind = faults.drawStop([...names].join(" "));
  if (kind === null) return;
  faults.hit(kind, first.port);
  stop(kind);
};

type CallFault = "before" | "after" | "hang" | "partition" | "outage" | "refusal";

/** Returns the failure of a change that the mail server refuses; undefined if it does not. */
const refusalOf = (
  { byRights, byQuota }: NonNullable<PortFaults["refusable"]>,
  method: string,
  reason: Refusal | undefined,
): Call | undefined => {
  const refused = reason === "over_quota" ? byQuota : byRights;
  if (reason === undefined || !refused.includes(method)) return undefined;
  return Effect.fail(new MailServerError({ reason, operation: method, detail: "simulated" }));
};

const after = (wait: Effect.Effect<void>, next: () => Call): Call => Effect.andThen(wait, Effect.suspend(next));

/** Waits, then passes the gate of a node. */
const through = (node: Incarnation, wait: number, next: () => Call): Call => {
  if (wait > 0) return after(Effect.andThen(node.gate, Effect.andThen(node.wait(wait), node.gate)), next);
  return node.isOpen ? next() : after(node.gate, next);
};

const count = ({ calls }: Incarnation, port: string, by: number): undefined =>
  void calls.set(port, (calls.get(port) ?? 0) + by);

/** Returns a service whose members are calls with faults. `path` leads from the port to the service. */
const throughCalls = (service: unknown, faults: PortFaults, make: MakeCall, path = ""): unknown => {
  const { safe = [], opens = [] } = faults;
  const members = Object.entries(service as Record<string, unknown>).map(([name, member]) => {
    const method = path + name;
    if (safe.includes(method)) return [name, member];
    if (Effect.isEffect(member)) return [name, make(method, [], member as Call)];
    if (typeof member !== "function") return [name, member];
    const made = (...args: ReadonlyArray<unknown>): unknown => {
      const answer: unknown = member(...args);
      if (!Effect.isEffect(answer)) return answer;
      const called = make(method, args, answer as Call);
      if (!opens.includes(method)) return called;
      const makeMember: MakeCall = (member, given, call) => make(member, given, call, args[0]);
      return Effect.map(called, (opened) => throughCalls(opened, faults, makeMember, `${method}.`));
    };
    return [name, made];
  });
  return Object.fromEntries(members);
};

/**
 * Returns a `Transaction` in which a failed statement fails the whole transaction. A nested transaction is a savepoint
 * and has no faults of its own.
 */
const transactions = (
  { run }: Transaction["Service"],
  make: MakeCall,
  surroundings: FaultySurroundings,
): Transaction["Service"] => ({
  run: <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const outermost = Effect.suspend(() => {
      const transaction: OpenTransaction = { isBroken: false, calls: [] };
      const statements = Effect.suspend(() => {
        transaction.calls = [];
        transaction.isBroken = false;
        return Effect.provideService(effect, CurrentTransaction, transaction);
      });
      const whole = Effect.tap(statements, () => (transaction.isBroken ? unavailable : Effect.void));
      // Nothing, not even a crash, may happen between a commit and its report to the observers.
      return Effect.uninterruptibleMask((restore) =>
        Effect.tap(run(restore(whole)), () =>
          Effect.sync(() => {
            transaction.calls.forEach(surroundings.answered);
            stopAfter(transaction.calls, surroundings);
          }),
        ),
      );
    });
    return Effect.flatMap(CurrentTransaction, (open) =>
      open === null ? (make("run", [], outermost) as Effect.Effect<A, E | StoreUnavailable, R>) : run(effect),
    );
  },
});
