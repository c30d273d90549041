import type { Transaction } from "@postern/core/shared";
import {
  AccountErasuresInMemory,
  AccountWatchesInMemory,
  CredentialVaultInMemory,
  DeliveryLogInMemory,
  DeliveryQueueInMemory,
  EndpointPolicyInMemory,
  EndpointsInMemory,
  EntropyInMemory,
  EventLedgerInMemory,
  FolderRecordsInMemory,
  FollowedMailboxesInMemory,
  FolderRemovalsInMemory,
  IdempotencyKeysInMemory,
  LoginAttemptsInMemory,
  MailInMemory,
  type MailWorld,
  Memory,
  MovedMessagesInMemory,
  ParseJobsInMemory,
  OpaqueIdsInMemory,
  OutgoingJournalInMemory,
  ReceiversInMemory,
  SendQuotasInMemory,
  SentFolderInMemory,
  SessionsInMemory,
  TrackedMessagesInMemory,
  UploadContentsInMemory,
  UploadRecordsInMemory,
  webhookSenderInMemory,
  WebhookStoreInMemory,
} from "@postern/memory";
import {
  accountErasuresContract,
  accountWatchesContract,
  credentialVaultContract,
  deliveryLogContract,
  deliveryQueueContract,
  endpointPolicyContract,
  entropyContract,
  eventLedgerContract,
  folderManagementContract,
  folderRecordsContract,
  folderRemovalsContract,
  followedMailboxesContract,
  idempotencyKeysContract,
  inboxPagingContract,
  inboxWatchContract,
  loginAttemptsContract,
  mailboxChangesContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  mailTransportContract,
  messageChangesContract,
  messageReaderContract,
  messageSearchContract,
  searchPagingContract,
  movedMessagesContract,
  parseJobsContract,
  readOnlyContract,
  opaqueIdsContract,
  outgoingJournalContract,
  overQuotaContract,
  QUOTA,
  sendQuotasContract,
  sentFolderContract,
  sessionsContract,
  trackedMessagesContract,
  uploadContentsContract,
  uploadRecordsContract,
  transactionContract,
  watchNodesContract,
  webhookSenderContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { MailTransportWithControl } from "./mail-transport-control.ts";
import { EmptyWorld, MailWorldControl, worldWithQuota } from "./MailWorldControl.ts";
import { ScriptedReceivers } from "./scripted-receivers.ts";

const mailOf = (world: Layer.Layer<MailWorld>) =>
  Layer.mergeAll(MailInMemory, SentFolderInMemory, MailWorldControl).pipe(
    Layer.provideMerge(CredentialVaultInMemory),
    Layer.provide([world, Memory.layer]),
  );
const Mail = mailOf(EmptyWorld);

/** A store over a memory of its own. */
const stored = <A>(store: Layer.Layer<A, never, Memory | Transaction>) => Layer.provideMerge(store, Memory.layer);

mailLoginContract("MailLogin in memory", Mail);
mailboxTreeContract("MailboxTree in memory", Mail);
inboxWatchContract("InboxWatch in memory", Mail);
mailboxChangesContract("MailboxChanges in memory", Mail, { marks: true });
mailboxReaderContract("MailboxReader in memory", Mail);
messageChangesContract("MessageChanges in memory", Mail);
messageSearchContract("MessageSearch in memory", Mail);
readOnlyContract("a mailbox to read only, in memory", Mail);
overQuotaContract("a full account in memory", mailOf(worldWithQuota(QUOTA)));
messageReaderContract("MessageReader in memory", Mail);
sentFolderContract("SentFolder in memory", Mail);
inboxPagingContract(
  "Inbox over the mail world in memory",
  Layer.mergeAll(Mail, stored(FolderRecordsInMemory), OpaqueIdsInMemory),
  { runs: 200 },
);
searchPagingContract(
  "Search over the mail world in memory",
  Layer.mergeAll(Mail, stored(FolderRecordsInMemory), OpaqueIdsInMemory),
);
credentialVaultContract("CredentialVault in memory", stored(CredentialVaultInMemory));
sessionsContract("Sessions in memory", stored(SessionsInMemory));
loginAttemptsContract("LoginAttempts in memory", stored(LoginAttemptsInMemory));
transactionContract("Transaction in memory", stored(SessionsInMemory));
folderRecordsContract("FolderRecords in memory", stored(FolderRecordsInMemory));
folderManagementContract(
  "FolderManagement in memory",
  Layer.mergeAll(Mail, stored(FolderRecordsInMemory), FolderRemovalsInMemory, OpaqueIdsInMemory, EntropyInMemory),
);
parseJobsContract("ParseJobs in memory", stored(ParseJobsInMemory));
movedMessagesContract("MovedMessages in memory", stored(MovedMessagesInMemory));
followedMailboxesContract("FollowedMailboxes in memory", stored(FollowedMailboxesInMemory));
accountErasuresContract("AccountErasures in memory", stored(AccountErasuresInMemory));
accountWatchesContract("AccountWatches in memory", stored(AccountWatchesInMemory));
watchNodesContract("nodes in memory", stored(AccountWatchesInMemory));
folderRemovalsContract("FolderRemovals in memory", FolderRemovalsInMemory);
opaqueIdsContract("OpaqueIds in memory", OpaqueIdsInMemory);
entropyContract("Entropy in memory", EntropyInMemory);

const Webhooks = Layer.mergeAll(
  ScriptedReceivers,
  webhookSenderInMemory({ timeout: "300 millis" }),
  EndpointPolicyInMemory,
).pipe(Layer.provide(ReceiversInMemory.layer));

webhookSenderContract("WebhookSender in memory", Webhooks);
endpointPolicyContract("EndpointPolicy in memory", Webhooks);
const WebhookRows = stored(
  Layer.mergeAll(DeliveryQueueInMemory, DeliveryLogInMemory, EndpointsInMemory).pipe(
    Layer.provide(WebhookStoreInMemory.layer),
    Layer.provideMerge(EventLedgerInMemory),
  ),
);

deliveryQueueContract("DeliveryQueue and Endpoints in memory", WebhookRows);
deliveryLogContract("DeliveryLog in memory", WebhookRows);
const SendStores = Layer.mergeAll(
  OutgoingJournalInMemory,
  IdempotencyKeysInMemory,
  SendQuotasInMemory,
  TrackedMessagesInMemory,
  EventLedgerInMemory,
  UploadRecordsInMemory,
).pipe(Layer.provideMerge(Memory.layer));

outgoingJournalContract("OutgoingJournal in memory", SendStores);
idempotencyKeysContract("IdempotencyKeys in memory", SendStores);
sendQuotasContract("SendQuotas in memory", SendStores);
trackedMessagesContract("TrackedMessages in memory", SendStores);
eventLedgerContract("EventLedger in memory", SendStores);
uploadRecordsContract("UploadRecords in memory", SendStores);
uploadContentsContract("UploadContents in memory", UploadContentsInMemory);
mailTransportContract("MailTransport in memory", stored(MailTransportWithControl));
