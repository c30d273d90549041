import { HostConnections, type HostLimit } from "@postern/core/accounts";
import { Effect, Layer } from "effect";
import { batched } from "../database/batched.ts";
import { Database } from "../database/Database.ts";

interface Reservation {
  readonly host: string;
  readonly limit: HostLimit;
  readonly now: number;
  readonly latest: number;
}

/** The moments of connections in `host_connection` (spec 10.3). */
export const layer: Layer.Layer<HostConnections, never, Database> = Layer.effect(
  HostConnections,
  Effect.gen(function* () {
    const { query, transaction, lockNames } = yield* Database;

    /** Returns the latest moments of a host, latest first. */
    const latest = (host: string, count: number) =>
      query(async (db) => {
        const ofHost = db.selectFrom("host_connection").select("at").where("host", "=", host);
        return (await ofHost.orderBy("at", "desc").limit(count).execute()).map(({ at }) => at);
      });

    const reserveAt = Effect.fnUntraced(function* (host: string, wanted: ReadonlyArray<Reservation>) {
      const turns = new Map<Reservation, number>();
      let moments = yield* latest(host, Math.max(...wanted.map(({ limit }) => limit.connections)));
      for (const reservation of wanted) {
        const { limit, now } = reservation;
        const blocking = moments[limit.connections - 1];
        const turn = blocking === undefined ? now : Math.max(now, blocking + limit.windowMillis);
        if (turn > reservation.latest) continue;
        turns.set(reservation, turn);
        moments = [turn, ...moments].toSorted((one, other) => other - one);
      }
      if (turns.size === 0) return turns;
      const rows = [...turns.values()].map((at) => ({ id: globalThis.crypto.randomUUID(), host, at }));
      yield* query((db) => db.insertInto("host_connection").values(rows).execute());
      const old = Math.min(...wanted.map(({ now, limit }) => now - limit.windowMillis));
      yield* query((db) => db.deleteFrom("host_connection").where("host", "=", host).where("at", "<=", old).execute());
      return turns;
    });

    // Concurrent callers share one transaction. Otherwise each caller would wait for the host's lock on a separate
    // connection.
    const reserve = batched(
      Effect.fn("HostConnections.reserve")(function* (all: ReadonlyArray<Reservation>) {
        const hosts = Map.groupBy(all, ({ host }) => host);
        yield* lockNames([...hosts.keys()].map((host) => `connections to ${host}`));
        const turns = yield* Effect.forEach(hosts, ([host, wanted]) => reserveAt(host, wanted));
        return new Map(turns.flatMap((ofHost) => [...ofHost]));
      }, transaction),
    );

    return HostConnections.of({
      reserve: (host, limit, now, latest) => reserve({ host, limit, now, latest }),

      removeOld: Effect.fn("HostConnections.removeOld")(function* (before) {
        yield* query((db) => db.deleteFrom("host_connection").where("at", "<", before).execute());
      }),
    });
  }),
);
