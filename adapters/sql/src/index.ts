export * from "./Database.ts";
export * from "./errors.ts";
export * from "./layers.ts";
export type { PostgresOptions } from "./postgres/connection.ts";
export * from "./RecordCipher.ts";
export * from "./rewrap-secrets.ts";
export { UploadContentsInSql } from "./stores/UploadContentsInSql.ts";
export { serviceSecret } from "./service-secret.ts";
