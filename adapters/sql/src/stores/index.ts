import { Layer } from "effect";
import { DeliveryLogInSql } from "./webhooks/DeliveryLogInSql.ts";
import { DeliveryQueueInSql } from "./webhooks/DeliveryQueueInSql.ts";
import { EndpointsInSql } from "./webhooks/EndpointsInSql.ts";
import { AccountErasuresInSql } from "./AccountErasuresInSql.ts";
import { AccountWatchesInSql } from "./AccountWatchesInSql.ts";
import { CredentialVaultInSql } from "./CredentialVaultInSql.ts";
import { EventLedgerInSql } from "./EventLedgerInSql.ts";
import { FollowedMailboxesInSql } from "./FollowedMailboxesInSql.ts";
import { FolderRecordsInSql } from "./FolderRecordsInSql.ts";
import { FolderRemovalsInSql } from "./FolderRemovalsInSql.ts";
import { IdempotencyKeysInSql } from "./IdempotencyKeysInSql.ts";
import { LoginAttemptsInSql } from "./LoginAttemptsInSql.ts";
import { MovedMessagesInSql } from "./MovedMessagesInSql.ts";
import { OutgoingJournalInSql } from "./OutgoingJournalInSql.ts";
import { ParseJobsInSql } from "./ParseJobsInSql.ts";
import { SendQuotasInSql } from "./SendQuotasInSql.ts";
import { SessionsInSql } from "./SessionsInSql.ts";
import { TrackedMessagesInSql } from "./TrackedMessagesInSql.ts";
import { UploadRecordsInSql } from "./UploadRecordsInSql.ts";

/** Every store there is (the bytes of uploads may be elsewhere), over whichever database. */
export const Stores = Layer.mergeAll(
  CredentialVaultInSql,
  SessionsInSql,
  LoginAttemptsInSql,
  FolderRecordsInSql,
  FolderRemovalsInSql,
  OutgoingJournalInSql,
  ParseJobsInSql,
  IdempotencyKeysInSql,
  SendQuotasInSql,
  TrackedMessagesInSql,
  EventLedgerInSql,
  EndpointsInSql,
  DeliveryQueueInSql,
  DeliveryLogInSql,
  MovedMessagesInSql,
  FollowedMailboxesInSql,
  AccountErasuresInSql,
  AccountWatchesInSql,
  UploadRecordsInSql,
);
