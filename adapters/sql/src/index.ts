export * from "./Database.ts";
export * from "./errors.ts";
export * from "./layers.ts";
export type { PostgresOptions } from "./postgres/connection.ts";
export * from "./RecordCipher.ts";
