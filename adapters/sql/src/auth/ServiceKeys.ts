import { isSameHash, keyGrantsJson, type ServiceKey, ServiceKeys } from "@postern/core/auth";
import { Effect, Layer, Option } from "effect";
import { batched } from "../database/batched.ts";
import { Database } from "../database/Database.ts";
import { readJson } from "../database/read-json.ts";
import { SERVICE_KEY, type ServiceKeyRow } from "../tables/auth.ts";

const rowOf = (key: ServiceKey, hash: string): ServiceKeyRow => ({
  ...SERVICE_KEY.rowOf(key),
  hash,
  grants: keyGrantsJson.write(key),
});

/** Returns none for a row that cannot be read: a key without known limits is not accepted. */
const keyOf = (row: ServiceKeyRow): Effect.Effect<Option.Option<ServiceKey>> =>
  Effect.map(
    readJson(keyGrantsJson, row.grants, { table: "service_key", id: row.id }),
    Option.map((granted) => ({ ...granted, ...SERVICE_KEY.recordOf(row) })),
  );

/** Service keys in the table `service_key`. */
export const layer: Layer.Layer<ServiceKeys, never, Database> = Layer.effect(
  ServiceKeys,
  Effect.gen(function* () {
    const { query, outside, isInside } = yield* Database;

    const findAll = (ids: ReadonlyArray<string>) =>
      Effect.map(
        query((db) => db.selectFrom("service_key").selectAll().where("id", "in", ids).execute()),
        (rows) => new Map(rows.map((row) => [row.id, row])),
      );
    const findBatched = batched(findAll);
    const rowWith = Effect.fnUntraced(function* (id: string) {
      if (yield* isInside) return Option.fromUndefinedOr((yield* findAll([id])).get(id));
      return yield* outside(findBatched(id));
    });
    const readRow = (row: Option.Option<ServiceKeyRow>) =>
      Option.match(row, { onNone: () => Effect.succeedNone, onSome: keyOf });

    return ServiceKeys.of({
      insert: Effect.fn("ServiceKeys.insert")(function* (key, hash) {
        yield* query((db) => db.insertInto("service_key").values(rowOf(key, hash)).execute());
      }),

      findByHash: Effect.fnUntraced(function* (id, hash) {
        const row = yield* rowWith(id);
        return yield* readRow(Option.filter(row, (found) => isSameHash(found.hash, hash)));
      }),

      find: (id) => Effect.flatMap(rowWith(id), readRow),

      list: Effect.gen(function* () {
        const rows = yield* query((db) =>
          db.selectFrom("service_key").selectAll().orderBy("created_at", "desc").orderBy("id").execute(),
        );
        return (yield* Effect.forEach(rows, keyOf)).flatMap(Option.toArray);
      }).pipe(Effect.withSpan("ServiceKeys.list")),

      use: Effect.fn("ServiceKeys.use")(function* (id, now, replaces) {
        yield* query((db) =>
          db
            .updateTable("service_key")
            .set({ last_used_at: now })
            .where("id", "=", id)
            .where((either) => either.or([either("last_used_at", "is", null), either("last_used_at", "<=", replaces)]))
            .execute(),
        );
      }),

      remove: Effect.fn("ServiceKeys.remove")(function* (id) {
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("service_key").where("id", "=", id).executeTakeFirst(),
        );
        return numDeletedRows > 0n;
      }),

      removeApplication: Effect.fn("ServiceKeys.removeApplication")(function* (application) {
        const rows = yield* query((db) =>
          db.deleteFrom("service_key").where("application", "=", application).returning("id").execute(),
        );
        return rows.map(({ id }) => id);
      }),
    });
  }),
);
