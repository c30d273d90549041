import { StoreUnavailable, type Transaction } from "@postern/core/shared";
import { Context, Effect } from "effect";
import type { NodeSurroundings } from "./NodeSurroundings.ts";
import { type Call, FaultyCall, type OpenTransaction } from "./FaultyCall.ts";
import type { Incarnation } from "../timeline/Incarnation.ts";
import { PORT_FAULTS, type PortFaults } from "./port-faults.ts";
import { stopAfter } from "./stop-after.ts";

const CurrentTransaction = Context.Reference<OpenTransaction | null>("@postern/harness/OpenTransaction", {
  defaultValue: () => null,
});

const unavailable = Effect.fail(new StoreUnavailable({ detail: "the transaction is broken" }));

/** Returns the ports of a node, each behind the node's gate and the faults of `PORT_FAULTS`. */
export const faultyPorts = <Ports>(
  node: Incarnation,
  ports: Context.Context<Ports>,
  surroundings: NodeSurroundings,
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

const callsOf = (node: Incarnation, port: string, faults: PortFaults, surroundings: NodeSurroundings): MakeCall => {
  const origin = { node, port, faults, surroundings };
  return (method, args, effect, of = args[0]) =>
    Effect.withFiber((fiber): Call => {
      const transaction = fiber.getRef(CurrentTransaction);
      if (transaction?.isBroken === true && faults.target === "store") return unavailable;
      return new FaultyCall(origin, transaction, method, args, of).make(effect);
    });
};

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
 * without separate faults.
 */
const transactions = (
  { run }: Transaction["Service"],
  make: MakeCall,
  surroundings: NodeSurroundings,
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
