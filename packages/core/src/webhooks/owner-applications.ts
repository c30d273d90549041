import { Clock, Effect, Option } from "effect";
import { Applications } from "../auth/index.ts";
import { Transaction } from "../shared/index.ts";
import type { Endpoint } from "./Endpoint.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";
import { setSuspended } from "./endpoint-state.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/** Compares endpoints that are being made or enabled with their application, whose end or suspension does not find them. */
export const ownerApplications = Effect.gen(function* () {
  const applications = yield* Applications;
  const endpoints = yield* Endpoints;
  const transaction = yield* Transaction;

  return {
    /** Returns whether the owner is an application with keys. */
    hasKeys: (owner: EndpointOwner) =>
      owner._tag === "Account"
        ? Effect.succeed(false)
        : Effect.map(applications.find(owner.application), Option.isSome),

    /** Suspends an endpoint if its application is suspended; returns the endpoint. */
    followSuspension: Effect.fnUntraced(function* (endpoint: Endpoint) {
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
    }, transaction.run),
  };
});
