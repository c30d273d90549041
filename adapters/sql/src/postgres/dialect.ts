import { PostgresDialect, type PostgresPoolClient } from "kysely";
import { DatabaseError, Pool, type PoolClient, type PoolConfig, types } from "pg";
import { failureOf } from "./failure-of.ts";

const INT8 = 20;

/** What we keep in 64 bits are times, UIDs and counts, which numbers hold exactly. */
const exactNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is no exact number`);
  return value;
};

/** A pool that survives its server: what goes wrong with a connection fails the query at hand and nothing else. */
export const openPool = (config: PoolConfig, onLost: (error: Error) => void): Pool => {
  const pool = new Pool({
    ...config,
    types: { getTypeParser: (oid, format) => (oid === INT8 ? exactNumber : types.getTypeParser(oid, format)) },
  });
  pool.on("error", onLost);
  // While a connection is taken out but runs no query, pg-pool does not listen to it: the loss would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};

export const dialect = (pool: Pool): PostgresDialect =>
  new PostgresDialect({
    pool: {
      options: pool.options,
      connect: async () => discardedWhenLost(await pool.connect()),
      end: () => pool.end(),
    },
  });

/**
 * A connection whose query got no answer in time still waits for that answer: nothing more is asked of it, not even to
 * roll back, and it does not go back into the pool.
 */
const discardedWhenLost = (client: PoolClient): PostgresPoolClient => {
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
