import { Context, type Effect, type Option } from "effect";
import type { EventType } from "../../events/event-types.ts";
import type { AccountId } from "../../shared/AccountId.ts";
import type { StoreUnavailable } from "../../shared/StoreUnavailable.ts";
import type { Endpoint } from "../Endpoint.ts";
import type { SigningSecrets } from "../signing-secrets.ts";

/** Where endpoints and their secrets are kept, the secrets sealed (decisions 7). */
export class Endpoints extends Context.Service<
  Endpoints,
  {
    readonly insert: (endpoint: Endpoint, secrets: SigningSecrets) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (account: AccountId, id: string) => Effect.Effect<Option.Option<Endpoint>, StoreUnavailable>;
    /** The endpoints of an account, oldest first. */
    readonly list: (account: AccountId) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /** The account's endpoints that chose this kind of event, enabled or not. */
    readonly subscribed: (
      account: AccountId,
      type: EventType,
    ) => Effect.Effect<ReadonlyArray<Endpoint>, StoreUnavailable>;
    /** Puts a decision made about an endpoint in its place, with nobody deciding at the same time; none if it is gone. */
    readonly change: <A>(
      id: string,
      decide: (endpoint: Endpoint) => readonly [A, Endpoint],
    ) => Effect.Effect<Option.Option<A>, StoreUnavailable>;
    readonly secrets: (id: string) => Effect.Effect<Option.Option<SigningSecrets>, StoreUnavailable>;
    readonly replaceSecrets: (id: string, secrets: SigningSecrets) => Effect.Effect<void, StoreUnavailable>;
    /** Forgets an endpoint with its secrets, deliveries and attempts; false where the account has none of that id. */
    readonly remove: (account: AccountId, id: string) => Effect.Effect<boolean, StoreUnavailable>;
  }
>()("@postern/core/webhooks/Endpoints") {}
