import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type SqliteDatabase, SqliteDialect, type SqliteStatement } from "kysely";

const STATEMENTS_KEPT = 300;
const UNCHANGED = { changes: 0, lastInsertRowid: 0 };

/** Adapts `node:sqlite` to kysely's interface; each statement is prepared once. */
const preparedOnce = (database: DatabaseSync): SqliteDatabase => {
  const statements = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const statement = database.prepare(sql);
    const values = (parameters: ReadonlyArray<unknown>) => parameters as ReadonlyArray<SQLInputValue>;
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...values(parameters)),
      run: (parameters) => (isUndone(sql) ? UNCHANGED : statement.run(...values(parameters))),
      iterate: (parameters) => statement.iterate(...values(parameters)),
    };
  };
  /** SQLite rolls back by itself after an I/O error; a second ROLLBACK would hide the cause. */
  const isUndone = (sql: string): boolean => sql === "rollback" && !database.isTransaction;
  return {
    prepare: (sql) => {
      const known = statements.get(sql);
      if (known !== undefined) return known;
      if (statements.size >= STATEMENTS_KEPT) statements.clear();
      const made = prepare(sql);
      statements.set(sql, made);
      return made;
    },
    close: () => database.close(),
  };
};

export const dialect = (database: DatabaseSync): SqliteDialect =>
  new SqliteDialect({ database: preparedOnce(database) });
