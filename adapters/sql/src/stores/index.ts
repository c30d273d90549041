import { Layer } from "effect";
import { CredentialVaultInSql } from "./CredentialVaultInSql.ts";
import { FolderRecordsInSql } from "./FolderRecordsInSql.ts";
import { FolderRemovalsInSql } from "./FolderRemovalsInSql.ts";
import { LoginAttemptsInSql } from "./LoginAttemptsInSql.ts";
import { SessionsInSql } from "./SessionsInSql.ts";

/** Every store there is, over whichever database. */
export const Stores = Layer.mergeAll(
  CredentialVaultInSql,
  SessionsInSql,
  LoginAttemptsInSql,
  FolderRecordsInSql,
  FolderRemovalsInSql,
);
