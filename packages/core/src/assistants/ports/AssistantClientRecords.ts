import { Context, type Effect, type Option } from "effect";
import type { StoreUnavailable } from "../../shared/index.ts";
import type { ListPlace } from "../../shared/neighbours.ts";
import type { AssistantClient } from "../AssistantClient.ts";

/** Stores the clients that the operator made or that registered themselves. Clients with documents are not stored. */
export class AssistantClientRecords extends Context.Service<
  AssistantClientRecords,
  {
    readonly insert: (client: AssistantClient) => Effect.Effect<void, StoreUnavailable>;
    readonly find: (id: string) => Effect.Effect<Option.Option<AssistantClient>, StoreUnavailable>;
    /** Lists up to `limit` clients after `after`, newest first; clients of equal age by id. */
    readonly list: (
      after: ListPlace | undefined,
      limit: number,
    ) => Effect.Effect<ReadonlyArray<AssistantClient>, StoreUnavailable>;
    /** Removes a client; false if the client does not exist. */
    readonly remove: (id: string) => Effect.Effect<boolean, StoreUnavailable>;
    /** Returns the number of clients that registered themselves. */
    readonly countRegistered: Effect.Effect<number, StoreUnavailable>;
    /** Removes the clients that registered themselves before a time (epoch milliseconds). */
    readonly removeRegistered: (before: number) => Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/assistants/ports/AssistantClientRecords") {}
