import type { Transaction } from "@postern/core";
import {
  CredentialVaultInMemory,
  DeliveryQueueInMemory,
  EndpointsInMemory,
  EndpointPolicyInMemory,
  EntropyInMemory,
  FolderRecordsInMemory,
  LoginAttemptsInMemory,
  FolderRemovalsInMemory,
  MailInMemory,
  Memory,
  OpaqueIdsInMemory,
  ReceiversInMemory,
  SessionsInMemory,
  webhookSenderInMemory,
  WebhookStoreInMemory,
} from "@postern/memory";
import {
  credentialVaultContract,
  deliveryQueueContract,
  endpointPolicyContract,
  entropyContract,
  folderManagementContract,
  folderRecordsContract,
  folderRemovalsContract,
  inboxPagingContract,
  loginAttemptsContract,
  mailboxChangesContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  opaqueIdsContract,
  sessionsContract,
  transactionContract,
  webhookSenderContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { EmptyWorld, MailWorldControl } from "./MailWorldControl.ts";
import { ScriptedReceivers } from "./scripted-receivers.ts";

const Mail = Layer.mergeAll(MailInMemory, MailWorldControl).pipe(
  Layer.provideMerge(CredentialVaultInMemory),
  Layer.provide([EmptyWorld, Memory.layer]),
);

/** A store over a memory of its own. */
const stored = <A>(store: Layer.Layer<A, never, Memory | Transaction>) => Layer.provideMerge(store, Memory.layer);

mailLoginContract("MailLogin in memory", Mail);
mailboxTreeContract("MailboxTree in memory", Mail);
mailboxChangesContract("MailboxChanges in memory", Mail);
mailboxReaderContract("MailboxReader in memory", Mail);
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
folderManagementContract(
  "FolderManagement in memory",
  Layer.mergeAll(Mail, stored(FolderRecordsInMemory), FolderRemovalsInMemory, OpaqueIdsInMemory, EntropyInMemory),
);
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
deliveryQueueContract(
  "DeliveryQueue and Endpoints in memory",
  stored(Layer.mergeAll(DeliveryQueueInMemory, EndpointsInMemory).pipe(Layer.provide(WebhookStoreInMemory.layer))),
);
