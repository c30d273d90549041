import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";
import { Database } from "../database/Database.ts";

/** Begins another feed: positions in that of before are refused, because a backup lacks events that were told (spec 7.10). */
export const beginFeed: Effect.Effect<void, StoreUnavailable, Database> = Effect.flatMap(Database, ({ query }) =>
  Effect.asVoid(
    query((db) =>
      db
        .updateTable("event_feed")
        .set({ epoch: globalThis.crypto.randomUUID().slice(0, 8) })
        .execute(),
    ),
  ),
);
