import { Schema } from "effect";

/** Another process uses this folder (spec 1.3: one process for one `DATA_DIR`). */
export class DataDirInUse extends Schema.TaggedError<DataDirInUse>()("DataDirInUse", {
  dataDir: Schema.String,
  /** The id of the other process; null if unknown. */
  pid: Schema.NullOr(Schema.Number),
}) {
  override get message(): string {
    const holder = this.pid === null ? "another process" : `process ${this.pid}`;
    return `the folder ${this.dataDir} is in use by ${holder}; one process at a time may use it`;
  }
}

/** The folder or its database file cannot be used: not writable, damaged, or not an SQLite database. */
export class DataDirUnusable extends Schema.TaggedError<DataDirUnusable>()("DataDirUnusable", {
  dataDir: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the folder ${this.dataDir} cannot be used: ${this.detail}`;
  }
}

/** The database that was created in this folder is missing. An empty new database would hide the loss. */
export class DatabaseMissing extends Schema.TaggedError<DatabaseMissing>()("DatabaseMissing", {
  dataDir: Schema.String,
}) {
  override get message(): string {
    return `${this.dataDir} has keys.json, but its postern.db is missing or empty; restore postern.db from a backup, or remove keys.json to start without any data`;
  }
}

/** The database did not answer within `startTimeout`. */
export class DatabaseUnreachable extends Schema.TaggedError<DatabaseUnreachable>()("DatabaseUnreachable", {
  waitedMillis: Schema.Number,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database did not answer for ${Math.round(this.waitedMillis / 1000)} s: ${this.detail}`;
  }
}

/** The database refused the connection: malformed URL, wrong user or password, or a missing database. */
export class DatabaseRefused extends Schema.TaggedError<DatabaseRefused>()("DatabaseRefused", {
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database refused the connection: ${this.detail}`;
  }
}

/** A later version of this program migrated the database; this version cannot write to it. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", {
  /** The migrations that this version does not know. */
  unknown: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `the database was written by a newer version (${this.unknown.join(", ")}); start that one`;
  }
}

/** The schema has tables of another program with names that Postern's tables need. */
export class DatabaseClash extends Schema.TaggedError<DatabaseClash>()("DatabaseClash", {
  detail: Schema.String,
}) {
  override get message(): string {
    return (
      `the database's schema is used by another program (${this.detail}); nothing was changed. Give Postern a schema of its ` +
      'own: DATABASE_SCHEMA=postern, or databaseSchema: "postern" of createPostern'
    );
  }
}

/** A secret of the service cannot be opened, because its key is not among the given keys. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  name: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database's secret "${this.name}" cannot be opened (${this.detail}); CREDENTIAL_KEYS must hold the key it is sealed under`;
  }
}

/** The database was not copied, and the target file is unchanged. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>()("CopyFailed", {
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database could not be copied: ${this.detail}`;
  }
}

/** Errors of opening the embedded database. */
export type SqliteStartError = DataDirInUse | DataDirUnusable | DatabaseMissing | DatabaseTooNew;

/** Errors of connecting to PostgreSQL. */
export type PostgresStartError = DatabaseUnreachable | DatabaseRefused | DatabaseTooNew | DatabaseClash;
