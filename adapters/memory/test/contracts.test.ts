import {
  EndpointPolicyInMemory,
  EntropyInMemory,
  MailInMemory,
  type MailWorld,
  OpaqueIdsInMemory,
  ReceiversInMemory,
  SentFolderInMemory,
  StoresInMemory,
  UploadContentsInMemory,
  webhookSenderInMemory,
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
    Layer.provideMerge(StoresInMemory),
    Layer.provide(world),
  );
const Mail = mailOf(EmptyWorld);

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
inboxPagingContract("Inbox over the mail world in memory", Layer.merge(Mail, OpaqueIdsInMemory), { runs: 200 });
searchPagingContract("Search over the mail world in memory", Layer.merge(Mail, OpaqueIdsInMemory));
credentialVaultContract("CredentialVault in memory", StoresInMemory);
sessionsContract("Sessions in memory", StoresInMemory);
loginAttemptsContract("LoginAttempts in memory", StoresInMemory);
transactionContract("Transaction in memory", StoresInMemory);
folderRecordsContract("FolderRecords in memory", StoresInMemory);
folderManagementContract("FolderManagement in memory", Layer.mergeAll(Mail, OpaqueIdsInMemory, EntropyInMemory));
parseJobsContract("ParseJobs in memory", StoresInMemory);
movedMessagesContract("MovedMessages in memory", StoresInMemory);
followedMailboxesContract("FollowedMailboxes in memory", StoresInMemory);
accountErasuresContract("AccountErasures in memory", StoresInMemory);
accountWatchesContract("AccountWatches in memory", StoresInMemory);
watchNodesContract("nodes in memory", StoresInMemory);
folderRemovalsContract("FolderRemovals in memory", StoresInMemory);
opaqueIdsContract("OpaqueIds in memory", OpaqueIdsInMemory);
entropyContract("Entropy in memory", EntropyInMemory);

const Webhooks = Layer.mergeAll(
  ScriptedReceivers,
  webhookSenderInMemory({ timeout: "300 millis" }),
  EndpointPolicyInMemory,
).pipe(Layer.provide(ReceiversInMemory.layer));

webhookSenderContract("WebhookSender in memory", Webhooks);
endpointPolicyContract("EndpointPolicy in memory", Webhooks);
deliveryQueueContract("DeliveryQueue and Endpoints in memory", StoresInMemory);
deliveryLogContract("DeliveryLog in memory", StoresInMemory);
outgoingJournalContract("OutgoingJournal in memory", StoresInMemory);
idempotencyKeysContract("IdempotencyKeys in memory", StoresInMemory);
sendQuotasContract("SendQuotas in memory", StoresInMemory);
trackedMessagesContract("TrackedMessages in memory", StoresInMemory);
eventLedgerContract("EventLedger in memory", StoresInMemory);
uploadRecordsContract("UploadRecords in memory", StoresInMemory);
uploadContentsContract("UploadContents in memory", UploadContentsInMemory);
mailTransportContract("MailTransport in memory", MailTransportWithControl);
