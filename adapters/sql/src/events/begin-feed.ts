import type { StoreUnavailable } from "@postern/core/shared";
import { Effect } from "effect";
import { Database } from "../database/Database.ts";
import { newEpoch } from "./new-epoch.ts";

/**
 * Begins a new feed, so that positions in the old feed are refused. After a restore, the backup lacks events that
 * clients have already read (spec 7.10).
 */
export const beginFeed: Effect.Effect<void, StoreUnavailable, Database> = Effect.flatMap(Database, ({ query }) =>
  Effect.asVoid(query((db) => db.updateTable("event_feed").set({ epoch: newEpoch() }).execute())),
);
