import type { AccountsTables } from "./accounts/tables.ts";
import type { AuthTables } from "./auth/tables.ts";
import type { BouncesTables } from "./bounces/tables.ts";
import type { CreationsTables } from "./creations/tables.ts";
import type { DraftsTables } from "./drafts/tables.ts";
import type { EventsTables } from "./events/tables.ts";
import type { FoldersTables } from "./folders/tables.ts";
import type { MessagesTables } from "./messages/tables.ts";
import type { OAuthTables } from "./oauth/tables.ts";
import type { SendTables } from "./send/tables.ts";
import type { WatchTables } from "./watch/tables.ts";
import type { WebhooksTables } from "./webhooks/tables.ts";

/** The rows as both databases return them. Times are epoch milliseconds. */
export interface Tables
  extends
    AccountsTables,
    AuthTables,
    BouncesTables,
    CreationsTables,
    DraftsTables,
    EventsTables,
    FoldersTables,
    MessagesTables,
    OAuthTables,
    SendTables,
    WatchTables,
    WebhooksTables {
  readonly migration: { readonly name: string; readonly applied_at: number };
  readonly service_secret: { readonly name: string; readonly sealed: string };
  readonly write_probe: { readonly id: string };
}
