import { Layer } from "effect";
import { layer as DeliveryLogInSql } from "../webhooks/DeliveryLog.ts";
import { layer as DeliveryQueueInSql } from "../webhooks/DeliveryQueue.ts";
import { layer as EndpointsInSql } from "../webhooks/Endpoints.ts";
import { layer as AccountErasuresInSql } from "../auth/AccountErasures.ts";
import { layer as AccountWatchesInSql } from "../watch/AccountWatches.ts";
import { layer as CredentialVaultInSql } from "../auth/CredentialVault.ts";
import { layer as EventLedgerInSql } from "../events/EventLedger.ts";
import { layer as FollowedMailboxesInSql } from "../watch/FollowedMailboxes.ts";
import { layer as FolderRecordsInSql } from "../folders/FolderRecords.ts";
import { layer as FolderRemovalsInSql } from "../folders/FolderRemovals.ts";
import { layer as IdempotencyKeysInSql } from "../send/IdempotencyKeys.ts";
import { layer as LoginAttemptsInSql } from "../auth/LoginAttempts.ts";
import { layer as MovedMessagesInSql } from "../messages/MovedMessages.ts";
import { layer as OutgoingJournalInSql } from "../send/OutgoingJournal.ts";
import { layer as ParseJobsInSql } from "../bounces/ParseJobs.ts";
import { layer as SendQuotasInSql } from "../send/SendQuotas.ts";
import { layer as SessionsInSql } from "../auth/Sessions.ts";
import { layer as TrackedMessagesInSql } from "../send/TrackedMessages.ts";
import { layer as UploadRecordsInSql } from "../send/UploadRecords.ts";

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
