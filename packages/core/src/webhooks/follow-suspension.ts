import { Clock, Effect, Option } from "effect";
import { Applications } from "../auth/index.ts";
import { Transaction } from "../shared/index.ts";
import type { Endpoint } from "./Endpoint.ts";
import { setSuspended } from "./endpoint-state.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/**
 * Returns a function that suspends an endpoint if its application is suspended: a suspension does not find an endpoint
 * that is being made or enabled. Returns the endpoint.
 */
export const suspensionFollower = Effect.gen(function* () {
  const applications = yield* Applications;
  const endpoints = yield* Endpoints;
  const transaction = yield* Transaction;

  return Effect.fnUntraced(function* (endpoint: Endpoint) {
    const { id, owner } = endpoint;
    if (owner._tag === "Account") return endpoint;
    // A suspension that is not stored yet waits for this lock, and then changes the endpoint.
    yield* endpoints.change([id], (known) => [undefined, known]);
    const application = yield* applications.find(owner.application);
    const isSuspended = Option.exists(application, ({ suspendedAt }) => suspendedAt !== null);
    const now = yield* Clock.currentTimeMillis;
    const [followed = endpoint] = yield* endpoints.change([id], (known) => {
      const after = setSuspended(known, isSuspended, now);
      return [after, after];
    });
    return followed;
  }, transaction.run);
});
