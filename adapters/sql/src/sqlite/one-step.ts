import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { rollBack } from "./direct-kysely.ts";

/** A statement for hot paths, prepared when it is first used. */
export interface PreparedOnce<Row> {
  readonly all: (...parameters: ReadonlyArray<SQLInputValue>) => ReadonlyArray<Row>;
  readonly get: (...parameters: ReadonlyArray<SQLInputValue>) => Row | undefined;
  /** Returns the number of changed rows. */
  readonly run: (...parameters: ReadonlyArray<SQLInputValue>) => number;
}

/** Prepares a statement on first use, because the schema may be missing before. */
export const prepareOnce = <Row = never>(database: DatabaseSync, text: string): PreparedOnce<Row> => {
  let prepared: StatementSync | undefined;
  const statement = () => (prepared ??= database.prepare(text));
  return {
    all: (...parameters) => statement().all(...parameters) as unknown as ReadonlyArray<Row>,
    get: (...parameters) => statement().get(...parameters) as Row | undefined,
    run: (...parameters) => Number(statement().run(...parameters).changes),
  };
};

/**
 * Runs statements without a pause, in the open transaction or in a new one. This costs a fraction of running them one
 * by one through kysely. Requires that no other fiber uses the connection.
 */
export const inOneStep = <A>(database: DatabaseSync, work: () => A): A => {
  if (database.isTransaction) return work();
  database.exec("begin");
  try {
    const answer = work();
    database.exec("commit");
    return answer;
  } catch (error) {
    rollBack(database);
    throw error;
  }
};
