import {
  CredentialVaultInMemory,
  EntropyInMemory,
  FolderRecordsInMemory,
  MailInMemory,
  OpaqueIdsInMemory,
  SessionsInMemory,
} from "@postern/memory";
import {
  credentialVaultContract,
  entropyContract,
  folderRecordsContract,
  inboxPagingContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
  opaqueIdsContract,
  sessionsContract,
} from "@postern/testkit";
import { Layer } from "effect";
import { EmptyWorld, MailWorldControl } from "./MailWorldControl.ts";

const Mail = Layer.mergeAll(MailInMemory, MailWorldControl).pipe(
  Layer.provideMerge(CredentialVaultInMemory),
  Layer.provide(EmptyWorld),
);

mailLoginContract("MailLogin in memory", Mail);
mailboxTreeContract("MailboxTree in memory", Mail);
mailboxReaderContract("MailboxReader in memory", Mail);
inboxPagingContract(
  "Inbox over the mail world in memory",
  Layer.mergeAll(Mail, FolderRecordsInMemory, OpaqueIdsInMemory),
  { runs: 200 },
);
credentialVaultContract("CredentialVault in memory", CredentialVaultInMemory);
sessionsContract("Sessions in memory", SessionsInMemory);
folderRecordsContract("FolderRecords in memory", FolderRecordsInMemory);
opaqueIdsContract("OpaqueIds in memory", OpaqueIdsInMemory);
entropyContract("Entropy in memory", EntropyInMemory);
