import { type Context, type Effect, Exit, type Scope } from "effect";
import type { Cluster } from "../Cluster.ts";
import type { NodeServices } from "../nodes/NodeServices.ts";

/** Repeats a request until it succeeds, like a patient user. */
export const repeatRequest = <A, E>(
  cluster: Cluster,
  name: string,
  useCase: (services: Context.Context<NodeServices>) => Effect.Effect<A, E, Scope.Scope>,
  answered: (answer: A) => void = () => {},
  times = 20,
): void =>
  cluster.request(name, useCase, (exit) => {
    if (exit !== null && Exit.isSuccess(exit)) return answered(exit.value);
    if (times <= 1) return;
    const again = () => repeatRequest(cluster, name, useCase, answered, times - 1);
    cluster.timeline.after(cluster.random.between(200, 6_000), again);
  });
