import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteQueryCompiler,
} from "kysely";
import type { Tables } from "../tables/Tables.ts";

const STATEMENTS_KEPT = 300;

type Run = <Row>(query: CompiledQuery) => QueryResult<Row>;

/** Returns a function that runs a query; each statement is prepared once. */
const runsIn = (database: DatabaseSync): Run => {
  const statements = new Map<string, { readonly statement: StatementSync; readonly isReader: boolean }>();
  const prepared = (text: string) => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (statements.size >= STATEMENTS_KEPT) statements.clear();
    const statement = database.prepare(text);
    const made = { statement, isReader: statement.columns().length > 0 };
    statements.set(text, made);
    return made;
  };
  return <Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> => {
    const { statement, isReader } = prepared(sql);
    const values = parameters as ReadonlyArray<SQLInputValue>;
    if (isReader) return { rows: statement.all(...values) as Array<Row> };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
};

/** Runs queries at once. kysely's own executor first waits for the connection, which costs more than most queries. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #run: Run;

  constructor(run: Run, connection: DatabaseConnection) {
    super(new SqliteQueryCompiler(), new SqliteAdapter(), { provideConnection: (consumer) => consumer(connection) });
    this.#run = run;
  }

  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#run(query);
  }
}

/** Returns kysely over a database whose only user runs one transaction at a time. */
export const directKysely = (database: DatabaseSync): Kysely<Tables> => {
  const run = runsIn(database);
  const connection: DatabaseConnection = {
    executeQuery: async (query) => run(query),
    streamQuery: () => {
      throw new Error("SQLite does not stream");
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => database.exec("begin"),
    commitTransaction: async () => database.exec("commit"),
    rollbackTransaction: async () => rollBack(database),
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  };
  const dialect = new SqliteDialect({
    database: async () => {
      throw new Error("the driver is ours");
    },
  });
  return new Kysely<Tables>({
    config: { dialect },
    dialect,
    driver,
    executor: new DirectExecutor(run, connection),
  });
};

/** SQLite rolls back by itself after an I/O error; a second ROLLBACK would hide the cause. */
export const rollBack = (database: DatabaseSync): void => {
  if (database.isTransaction) database.exec("rollback");
};
