export * from "./CredentialVaultInMemory.ts";
export * from "./FolderRecordsInMemory.ts";
export * from "./mail/MailAccount.ts";
export * from "./mail/Mailbox.ts";
export * from "./mail/MailInMemory.ts";
export * from "./mail/MailWorld.ts";
export * from "./sandbox/SandboxMailWorld.ts";
export * from "./SessionsInMemory.ts";
