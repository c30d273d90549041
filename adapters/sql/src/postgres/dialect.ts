import { PostgresDialect, type PostgresPoolClient } from "kysely";
import { DatabaseError, Pool, type PoolClient, type PoolConfig, types } from "pg";
import { failureOf } from "./failure-of.ts";

const INT8 = 20;

/** Converts a 64-bit integer. The columns hold times, UIDs and counts, which numbers represent exactly. */
const exactNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no exact number`);
  return value;
};

/** Opens a pool that survives the loss of its server: if a connection fails, only its current query fails. */
export const openPool = (config: PoolConfig, onLost: (error: Error) => void): Pool => {
  const pool = new Pool({
    ...config,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? exactNumber : types.getTypeParser(oid, format)) },
  });
  pool.on("error", onLost);
  // pg-pool does not listen to a connection that is checked out and runs no query. Without this listener, the loss of
  // such a connection would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};

export const dialect = (pool: Pool): PostgresDialect =>
  new PostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => discardWhenLost(await pool.connect()),
      end: () => pool.end(),
    },
  });

/**
 * Wraps a connection so that it is discarded after a query that timed out. Such a connection still waits for the
 * response and can run no further query, not even ROLLBACK.
 */
const discardWhenLost = (client: PoolClient): PostgresPoolClient => {
  let lost = false;
  const query = async (sql: string, parameters?: ReadonlyArray<unknown>): Promise<unknown> => {
    if (lost) throw new Error("Connection terminated");
    try {
      return await client.query(sql, parameters as Array<unknown>);
    } catch (error) {
      lost ||= failureOf(error) === "unavailable" && !(error instanceof DatabaseError);
      throw error;
    }
  };
  return {
    query: query as PostgresPoolClient["query"],
    release: (discard) => client.release(lost || discard === true),
  };
};
