import {
  CredentialVaultInMemory,
  FolderRecordsInMemory,
  MailInMemory,
  SessionsInMemory,
} from "@postern/memory";
import { layer as nodeCrypto } from "@postern/node-crypto";
import {
  credentialVaultContract,
  folderRecordsContract,
  inboxPagingContract,
  mailboxReaderContract,
  mailboxTreeContract,
  mailLoginContract,
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
  Layer.mergeAll(Mail, FolderRecordsInMemory, nodeCrypto({ idKey: new Uint8Array(32) })),
  { runs: 200 },
);
credentialVaultContract("CredentialVault in memory", CredentialVaultInMemory);
sessionsContract("Sessions in memory", SessionsInMemory);
folderRecordsContract("FolderRecords in memory", FolderRecordsInMemory);
