import { Clock, Effect, Option } from "effect";
import { Applications } from "../auth/index.ts";
import { Transaction } from "../shared/index.ts";
import type { Endpoint } from "./Endpoint.ts";
import type { EndpointOwner } from "./EndpointOwner.ts";
import { setSuspended } from "./endpoint-state.ts";
import { Endpoints } from "./ports/Endpoints.ts";

/**
 * The ports that compare an endpoint with the application that owns it. The end and the suspension of an application do
 * not find an endpoint that is being made or enabled.
 */
export const ownerApplications = Effect.all({
  applications: Applications,
  endpoints: Endpoints,
  transaction: Transaction,
});
type OwnerApplications = Effect.Success<typeof ownerApplications>;

/** Returns whether an owner is an application with keys. */
export const hasKeys = ({ applications }: OwnerApplications, owner: EndpointOwner) =>
  owner._tag === "Account" ? Effect.succeed(false) : Effect.map(applications.find(owner.application), Option.isSome);

/** Suspends an endpoint if its application is suspended; returns the endpoint. */
export const followSuspension = Effect.fnUntraced(
  function* ({ applications, endpoints }: OwnerApplications, endpoint: Endpoint) {
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
  },
  (follow, { transaction }) => transaction.run(follow),
);
