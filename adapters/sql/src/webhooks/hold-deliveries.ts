import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";
import { Database } from "../database/Database.ts";

/**
 * Holds every pending delivery, as if its endpoint had been disabled and enabled again. A replay sends held deliveries
 * (spec 7.6).
 */
export const holdDeliveries: Effect.Effect<void, StoreUnavailable, Database> = Effect.flatMap(Database, ({ query }) =>
  Effect.asVoid(
    query((db) =>
      db
        .updateTable("endpoint")
        .set((row) => ({ generation: row("generation", "+", 1) }))
        .execute(),
    ),
  ),
);
