import {
  credentialVaultContract,
  folderRecordsContract,
  loginAttemptsContract,
  folderRemovalsContract,
  sessionsContract,
  transactionContract,
} from "@postern/testkit";
import { inMemory, inTemporaryFolder } from "./databases.ts";

for (const [name, live] of [
  ["SQLite in a folder", inTemporaryFolder],
  ["SQLite in memory", inMemory],
] as const) {
  credentialVaultContract(`CredentialVault on ${name}`, live);
  sessionsContract(`Sessions on ${name}`, live);
  loginAttemptsContract(`LoginAttempts on ${name}`, live);
  folderRecordsContract(`FolderRecords on ${name}`, live);
  folderRemovalsContract(`FolderRemovals on ${name}`, live);
  transactionContract(`Transaction on ${name}`, live);
}
