import type { AccountsTables } from "./accounts.ts";
import type { AssistantsTables } from "./assistants.ts";
import type { AuditTables } from "./audit.ts";
import type { AuthTables } from "./auth.ts";
import type { BouncesTables } from "./bounces.ts";
import type { CreationsTables } from "./creations.ts";
import type { DraftsTables } from "./drafts.ts";
import type { EventsTables } from "./events.ts";
import type { FoldersTables } from "./folders.ts";
import type { OAuthTables } from "./oauth.ts";
import type { SendTables } from "./send.ts";
import type { WatchTables } from "./watch.ts";
import type { WebhooksTables } from "./webhooks.ts";

/** The rows as both databases return them. Times are epoch milliseconds. */
export interface Tables
  extends
    AccountsTables,
    AssistantsTables,
    AuditTables,
    AuthTables,
    BouncesTables,
    CreationsTables,
    DraftsTables,
    EventsTables,
    FoldersTables,
    OAuthTables,
    SendTables,
    WatchTables,
    WebhooksTables {
  readonly migration: { readonly name: string; readonly applied_at: number };
  readonly service_secret: { readonly name: string; readonly sealed: string };
  readonly write_probe: { readonly id: string };
}
