import {
  credentialVaultContract,
  describeWithPostgres,
  folderRecordsContract,
  loginAttemptsContract,
  folderRemovalsContract,
  sessionsContract,
  transactionContract,
} from "@postern/testkit";
import { onNewPostgres } from "./databases.ts";

describeWithPostgres("the stores on PostgreSQL", () => {
  credentialVaultContract("CredentialVault on PostgreSQL", onNewPostgres);
  sessionsContract("Sessions on PostgreSQL", onNewPostgres);
  loginAttemptsContract("LoginAttempts on PostgreSQL", onNewPostgres);
  folderRecordsContract("FolderRecords on PostgreSQL", onNewPostgres);
  folderRemovalsContract("FolderRemovals on PostgreSQL", onNewPostgres);
  transactionContract("Transaction on PostgreSQL", onNewPostgres);
});
