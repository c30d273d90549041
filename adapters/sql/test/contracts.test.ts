import {
  accountErasuresContract,
  accountWatchesContract,
  credentialVaultContract,
  deliveryLogContract,
  deliveryQueueContract,
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
  uploadContentsContract,
  uploadRecordsContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { UploadContentsInSql } from "../src/index.ts";
import { inMemory, inTemporaryFolder } from "./databases.ts";

for (const [name, live] of [
  ["SQLite in a folder", inTemporaryFolder],
  ["SQLite in memory", inMemory],
] as const) {
  credentialVaultContract(`CredentialVault on ${name}`, live);
  sessionsContract(`Sessions on ${name}`, live);
  loginAttemptsContract(`LoginAttempts on ${name}`, live);
  folderRecordsContract(`FolderRecords on ${name}`, live);
  parseJobsContract(`ParseJobs on ${name}`, live);
  movedMessagesContract(`MovedMessages on ${name}`, live);
  folderRemovalsContract(`FolderRemovals on ${name}`, live);
  transactionContract(`Transaction on ${name}`, live);
  outgoingJournalContract(`OutgoingJournal on ${name}`, live);
  idempotencyKeysContract(`IdempotencyKeys on ${name}`, live);
  sendQuotasContract(`SendQuotas on ${name}`, live);
  trackedMessagesContract(`TrackedMessages on ${name}`, live);
  followedMailboxesContract(`FollowedMailboxes on ${name}`, live);
  accountErasuresContract(`AccountErasures on ${name}`, live);
  accountWatchesContract(`AccountWatches on ${name}`, live);
  eventLedgerContract(`EventLedger on ${name}`, live);
  deliveryQueueContract(`DeliveryQueue and Endpoints on ${name}`, live);
  deliveryLogContract(`DeliveryLog on ${name}`, live);
  uploadRecordsContract(`UploadRecords on ${name}`, live);
  uploadContentsContract(`UploadContents on ${name}`, UploadContentsInSql.pipe(Layer.provide(live)));
}
