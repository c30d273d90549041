import type { Transaction } from "@postern/core";
import {
  CredentialVaultInMemory,
  EntropyInMemory,
  EventLedgerInMemory,
  FolderRecordsInMemory,
  LoginAttemptsInMemory,
  IdempotencyKeysInMemory,
  MailInMemory,
  Memory,
  OpaqueIdsInMemory,
  OutgoingJournalInMemory,
  SendQuotasInMemory,
  SentFolderInMemory,
  SessionsInMemory,
  TrackedMessagesInMemory,
} from "@postern/memory";
import {
  credentialVaultContract,
  entropyContract,
  eventLedgerContract,
  folderRecordsContract,
  idempotencyKeysContract,
  inboxPagingContract,
  loginAttemptsContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  mailTransportContract,
  opaqueIdsContract,
  outgoingJournalContract,
  sendQuotasContract,
  sentFolderContract,
  sessionsContract,
  transactionContract,
  trackedMessagesContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { MailTransportWithControl } from "./mail-transport-control.ts";
import { EmptyWorld, MailWorldControl } from "./MailWorldControl.ts";

const Mail = Layer.mergeAll(MailInMemory, SentFolderInMemory, MailWorldControl).pipe(
  Layer.provideMerge(CredentialVaultInMemory),
  Layer.provide([EmptyWorld, Memory.layer]),
);

/** A store over a memory of its own. */
const stored = <A>(store: Layer.Layer<A, never, Memory | Transaction>) => Layer.provideMerge(store, Memory.layer);

mailLoginContract("MailLogin in memory", Mail);
mailboxTreeContract("MailboxTree in memory", Mail);
mailboxReaderContract("MailboxReader in memory", Mail);
sentFolderContract("SentFolder in memory", Mail);
inboxPagingContract(
  "Inbox over the mail world in memory",
  Layer.mergeAll(Mail, stored(FolderRecordsInMemory), OpaqueIdsInMemory),
  { runs: 200 },
);
credentialVaultContract("CredentialVault in memory", stored(CredentialVaultInMemory));
sessionsContract("Sessions in memory", stored(SessionsInMemory));
loginAttemptsContract("LoginAttempts in memory", stored(LoginAttemptsInMemory));
transactionContract("Transaction in memory", stored(SessionsInMemory));
folderRecordsContract("FolderRecords in memory", stored(FolderRecordsInMemory));
opaqueIdsContract("OpaqueIds in memory", OpaqueIdsInMemory);
entropyContract("Entropy in memory", EntropyInMemory);

const SendStores = Layer.mergeAll(
  OutgoingJournalInMemory,
  IdempotencyKeysInMemory,
  SendQuotasInMemory,
  TrackedMessagesInMemory,
  EventLedgerInMemory,
).pipe(Layer.provideMerge(Memory.layer));

outgoingJournalContract("OutgoingJournal in memory", SendStores);
idempotencyKeysContract("IdempotencyKeys in memory", SendStores);
sendQuotasContract("SendQuotas in memory", SendStores);
trackedMessagesContract("TrackedMessages in memory", SendStores);
eventLedgerContract("EventLedger in memory", SendStores);
mailTransportContract("MailTransport in memory", stored(MailTransportWithControl));
