import { HostConnections } from "@postern/core/accounts";
import { Effect, Layer, Option } from "effect";
import { Database } from "../Database.ts";

/** The moments of connections in `host_connection` (spec 10.3). */
export const layer: Layer.Layer<HostConnections, never, Database> = Layer.effect(
  HostConnections,
  Effect.gen(function* () {
    const { query, transaction, lockNames } = yield* Database;

    return HostConnections.of({
      reserve: Effect.fn("HostConnections.reserve")(function* (host, { connections, windowMillis }, now, latest) {
        yield* lockNames([`connections to ${host}`]);
        const blocking = yield* query((db) =>
          db
            .selectFrom("host_connection")
            .select("at")
            .where("host", "=", host)
            .orderBy("at", "desc")
            .limit(1)
            .offset(connections - 1)
            .executeTakeFirst(),
        );
        const turn = blocking === undefined ? now : Math.max(now, blocking.at + windowMillis);
        if (turn > latest) return Option.none();
        const id = globalThis.crypto.randomUUID();
        yield* query((db) => db.insertInto("host_connection").values({ id, host, at: turn }).execute());
        yield* query((db) =>
          db
            .deleteFrom("host_connection")
            .where("host", "=", host)
            .where("at", "<=", now - windowMillis)
            .execute(),
        );
        return Option.some(turn);
      }, transaction),

      removeOld: Effect.fn("HostConnections.removeOld")(function* (before) {
        yield* query((db) => db.deleteFrom("host_connection").where("at", "<", before).execute());
      }),
    });
  }),
);
