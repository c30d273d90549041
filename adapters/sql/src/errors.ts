import { Schema } from "effect";

/** Another process works on this folder (spec 1.3: one process for one `DATA_DIR`). */
export class DataDirInUse extends Schema.TaggedError<DataDirInUse>()("DataDirInUse", {
  dataDir: Schema.String,
  /** Null where the other process left no name. */
  pid: Schema.NullOr(Schema.Number),
}) {
  override get message(): string {
    const holder = this.pid === null ? "another process" : `process ${this.pid}`;
    return `the folder ${this.dataDir} is in use by ${holder}; one process at a time may use it`;
  }
}

/** The folder or the database file in it cannot be used: not ours to write, damaged, or no database of SQLite. */
export class DataDirUnusable extends Schema.TaggedError<DataDirUnusable>()("DataDirUnusable", {
  dataDir: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the folder ${this.dataDir} cannot be used: ${this.detail}`;
  }
}

/** The database that was begun in this folder is not there any more: an empty one in its place would hide the loss. */
export class DatabaseMissing extends Schema.TaggedError<DatabaseMissing>()("DatabaseMissing", {
  dataDir: Schema.String,
}) {
  override get message(): string {
    return `${this.dataDir} has keys.json, but its postern.db is missing or empty; restore postern.db from a backup, or remove keys.json to start without any data`;
  }
}

/** The database did not answer for as long as we were willing to wait at start. */
export class DatabaseUnreachable extends Schema.TaggedError<DatabaseUnreachable>()("DatabaseUnreachable", {
  waitedMillis: Schema.Number,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database did not answer for ${Math.round(this.waitedMillis / 1000)} s: ${this.detail}`;
  }
}

/** The database will not have us: the address is malformed, the user or password is wrong, it does not exist. */
export class DatabaseRefused extends Schema.TaggedError<DatabaseRefused>()("DatabaseRefused", {
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database refuses us: ${this.detail}`;
  }
}

/** A later version of this program has changed the database; this one would not know how to write to it. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", {
  /** The migrations we do not know. */
  unknown: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `the database was written by a newer version (${this.unknown.join(", ")}); start that one`;
  }
}

/** A secret of the service cannot be opened: the key it is sealed under is not among those given. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  name: Schema.String,
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database's secret "${this.name}" cannot be opened (${this.detail}); CREDENTIAL_KEYS must hold the key it is sealed under`;
  }
}

/** The database was not copied, and nothing was put in place of the file. */
export class CopyFailed extends Schema.TaggedError<CopyFailed>()("CopyFailed", {
  detail: Schema.String,
}) {
  override get message(): string {
    return `the database could not be copied: ${this.detail}`;
  }
}

/** Why the embedded database did not open. */
export type SqliteStartError = DataDirInUse | DataDirUnusable | DatabaseMissing | DatabaseTooNew;

/** Why PostgreSQL was not reached. */
export type PostgresStartError = DatabaseUnreachable | DatabaseRefused | DatabaseTooNew;
