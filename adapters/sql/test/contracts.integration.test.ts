import {
  accountErasuresContract,
  accountWatchesContract,
  credentialVaultContract,
  deliveryLogContract,
  deliveryQueueContract,
  describeWithPostgres,
  eventLedgerContract,
  folderRecordsContract,
  movedMessagesContract,
  parseJobsContract,
  loginAttemptsContract,
  folderRemovalsContract,
  followedMailboxesContract,
  idempotencyKeysContract,
  outgoingJournalContract,
  sendQuotasContract,
  sessionsContract,
  trackedMessagesContract,
  transactionContract,
  watchNodesContract,
  uploadContentsContract,
  uploadRecordsContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { UploadContentsInSql } from "../src/index.ts";
import { onNewPostgres } from "./databases.ts";

describeWithPostgres("the stores on PostgreSQL", () => {
  credentialVaultContract("CredentialVault on PostgreSQL", onNewPostgres);
  sessionsContract("Sessions on PostgreSQL", onNewPostgres);
  loginAttemptsContract("LoginAttempts on PostgreSQL", onNewPostgres);
  folderRecordsContract("FolderRecords on PostgreSQL", onNewPostgres);
  parseJobsContract("ParseJobs on PostgreSQL", onNewPostgres);
  movedMessagesContract("MovedMessages on PostgreSQL", onNewPostgres);
  folderRemovalsContract("FolderRemovals on PostgreSQL", onNewPostgres);
  transactionContract("Transaction on PostgreSQL", onNewPostgres);
  outgoingJournalContract("OutgoingJournal on PostgreSQL", onNewPostgres);
  idempotencyKeysContract("IdempotencyKeys on PostgreSQL", onNewPostgres);
  sendQuotasContract("SendQuotas on PostgreSQL", onNewPostgres);
  trackedMessagesContract("TrackedMessages on PostgreSQL", onNewPostgres);
  followedMailboxesContract("FollowedMailboxes on PostgreSQL", onNewPostgres);
  accountErasuresContract("AccountErasures on PostgreSQL", onNewPostgres);
  accountWatchesContract("AccountWatches on PostgreSQL", onNewPostgres);
  watchNodesContract("nodes on PostgreSQL", onNewPostgres);
  eventLedgerContract("EventLedger on PostgreSQL", onNewPostgres);
  deliveryQueueContract("DeliveryQueue and Endpoints on PostgreSQL", onNewPostgres);
  deliveryLogContract("DeliveryLog on PostgreSQL", onNewPostgres);
  uploadRecordsContract("UploadRecords on PostgreSQL", onNewPostgres);
  uploadContentsContract("UploadContents on PostgreSQL", UploadContentsInSql.pipe(Layer.provide(onNewPostgres)));
});
