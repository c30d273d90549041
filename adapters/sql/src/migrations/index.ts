import { sql } from "kysely";
import { signInAndFolders } from "./0001-sign-in-and-folders.ts";
import { sessions } from "./0002-sessions.ts";
import { serviceSecrets } from "./0003-service-secrets.ts";
import { folderRemovals } from "./0004-folder-removals.ts";
import { uploads } from "./0005-uploads.ts";
import { outgoingMail } from "./0006-outgoing-mail.ts";
import { events } from "./0007-events.ts";
import { webhooks } from "./0008-webhooks.ts";
import { arrivals } from "./0009-arrivals.ts";
import { movedMessages } from "./0010-moved-messages.ts";
import { bounces } from "./0011-bounces.ts";
import { sendRetention } from "./0012-send-retention.ts";
import { writeProbe } from "./0013-write-probe.ts";
import { removalAttempts } from "./0014-removal-attempts.ts";
import { deliveryOrder } from "./0015-delivery-order.ts";
import { erasures } from "./0016-erasures.ts";
import { seenFrom } from "./0017-seen-from.ts";
import { sharesOfSending } from "./0018-shares-of-sending.ts";
import { recipientsOfMail } from "./0019-recipients-of-mail.ts";
import { serviceKeys } from "./0020-service-keys.ts";
import { accounts } from "./0021-accounts.ts";
import { hostConnections } from "./0022-host-connections.ts";
import { applicationEndpoints } from "./0023-application-endpoints.ts";
import { orderPerAccount } from "./0024-order-per-account.ts";
import { providerMessageIds } from "./0025-provider-message-ids.ts";
import { identities } from "./0026-identities.ts";
import { drafts } from "./0027-drafts.ts";
import { oauth } from "./0028-oauth.ts";
import { protocolLogs } from "./0029-protocol-logs.ts";
import { upgradeTasks } from "./0030-upgrade-tasks.ts";
import { waitingMail } from "./0031-waiting-mail.ts";
import { turnsOfAccounts } from "./0032-turns-of-accounts.ts";
import { leftMessages } from "./0033-left-messages.ts";
import { ageOfLeftMessages } from "./0034-age-of-left-messages.ts";
import { keysOfNodes } from "./0035-keys-of-nodes.ts";
import { creations } from "./0036-creations.ts";
import { keysOfConnectAttempts } from "./0037-keys-of-connect-attempts.ts";
import { outgoingStates } from "./0038-outgoing-states.ts";
import { suspendedApplications } from "./0039-suspended-applications.ts";
import { audit } from "./0040-audit.ts";
import { auditedCalls } from "./0052-audited-calls.ts";
import { applications } from "./0041-applications.ts";
import { foldedNames } from "./0042-folded-names.ts";
import { eventFeed } from "./0043-event-feed.ts";
import { labels } from "./0044-labels.ts";
import { idsThatStay } from "./0045-ids-that-stay.ts";
import { following } from "./0046-following.ts";
import { approvals } from "./0047-approvals.ts";
import { senderBlocks } from "./0049-sender-blocks.ts";
import { contacts } from "./0050-contacts.ts";
import { assistants } from "./0051-assistants.ts";
import type { Migration } from "./Migration.ts";

/** All migrations, oldest first. Migrations that only add a column may be defined in this list. */
export const migrations: ReadonlyArray<Migration> = [
  signInAndFolders,
  sessions,
  serviceSecrets,
  folderRemovals,
  uploads,
  outgoingMail,
  events,
  webhooks,
  arrivals,
  movedMessages,
  bounces,
  sendRetention,
  writeProbe,
  removalAttempts,
  deliveryOrder,
  erasures,
  seenFrom,
  sharesOfSending,
  recipientsOfMail,
  serviceKeys,
  accounts,
  hostConnections,
  applicationEndpoints,
  orderPerAccount,
  providerMessageIds,
  identities,
  drafts,
  oauth,
  protocolLogs,
  upgradeTasks,
  waitingMail,
  turnsOfAccounts,
  leftMessages,
  ageOfLeftMessages,
  keysOfNodes,
  creations,
  keysOfConnectAttempts,
  outgoingStates,
  suspendedApplications,
  audit,
  applications,
  foldedNames,
  eventFeed,
  labels,
  idsThatStay,
  following,
  approvals,
  {
    name: "0048-id-generations",
    up: async (db) => {
      await db.schema.alterTable("account").addColumn("id_generation", "text").execute();
    },
  },
  senderBlocks,
  contacts,
  assistants,
  auditedCalls,
  {
    name: "0053-sent-headers",
    up: async (db) => {
      await db.schema.alterTable("attempt").addColumn("headers", "text").execute();
    },
  },
  {
    // Processes of earlier versions use the id of a new folder as its key.
    name: "0054-mailbox-keys",
    up: async (db) => {
      await db.schema.alterTable("folder").addColumn("mailbox_key", "text").execute();
    },
  },
  {
    // 0023 wrote the condition of this index in another way than the query, which therefore could not use it.
    name: "0055-index-of-replays",
    up: async ({ schema }) => {
      await schema.dropIndex("delivery_replay").execute();
      await schema
        .createIndex("delivery_replay")
        .on("delivery")
        .columns(["endpoint_id", "occurred_at", "position", "event_id"])
        .where(sql<boolean>`coalesce(state, '') in ('pending', 'exhausted')`)
        .execute();
    },
  },
];
