import { isSameHash, keyGrantsJson, type ServiceKey, ServiceKeys } from "@postern/core/auth";
import { Effect, Layer, Option } from "effect";
import { batched } from "../database/batched.ts";
import { Database } from "../database/Database.ts";
import { modifyLocked } from "../database/modify-locked.ts";
import { isAfter, listAfter } from "../database/list-after.ts";
import { readJson } from "../database/read-json.ts";
import { SERVICE_KEY, type ServiceKeyRow } from "../tables/auth.ts";

const rowOf = (key: ServiceKey, hash: string): ServiceKeyRow => ({
  ...SERVICE_KEY.rowOf(key),
  hash,
  grants: keyGrantsJson.write(key),
});

/** A key with the suspension of its application, if the query reads it. */
type FoundRow = ServiceKeyRow & { readonly suspended_at?: number | null };

/** Returns the key of a row; none if the row cannot be read, because a key without known limits must not be accepted. */
const keyOf = (row: FoundRow): Effect.Effect<Option.Option<ServiceKey>> =>
  Effect.map(
    readJson(keyGrantsJson, row.grants, { table: "service_key", id: row.id }),
    Option.map((granted) => ({
      ...granted,
      ...SERVICE_KEY.recordOf(row),
      ...(row.suspended_at == null ? {} : { suspendedAt: row.suspended_at }),
    })),
  );

/** Service keys in the table `service_key`. */
export const layer: Layer.Layer<ServiceKeys, never, Database> = Layer.effect(
  ServiceKeys,
  Effect.gen(function* () {
    const database = yield* Database;
    const { query, outside, isInside, together } = database;

    const findAll = (ids: ReadonlyArray<string>) =>
      Effect.map(
        query((db) =>
          db
            .selectFrom("service_key")
            .leftJoin("suspended_application as s", "s.application", "service_key.application")
            .selectAll("service_key")
            .select("s.suspended_at")
            .where("id", "in", ids)
            .execute(),
        ),
        (rows) => new Map(rows.map((row) => [row.id, row])),
      );
    const findBatched = batched(findAll);
    const rowWith = Effect.fnUntraced(function* (id: string) {
      if (yield* isInside) return Option.fromUndefinedOr((yield* findAll([id])).get(id));
      return yield* outside(findBatched(id));
    });
    const readRow = (row: Option.Option<FoundRow>) =>
      Option.match(row, { onNone: () => Effect.succeedNone, onSome: keyOf });

    const selectPage = (after: Parameters<typeof isAfter>[0], limit: number) =>
      query((db) =>
        db
          .selectFrom("service_key")
          .selectAll()
          .where(isAfter(after, ">"))
          .orderBy("created_at", "desc")
          .orderBy("id")
          .limit(limit)
          .execute(),
      );

    const hasKeys = Effect.fnUntraced(function* (application: string) {
      const one = yield* query((db) =>
        db.selectFrom("service_key").select("id").where("application", "=", application).limit(1).executeTakeFirst(),
      );
      return one !== undefined;
    });
    const endSuspension = (application: string) =>
      query((db) => db.deleteFrom("suspended_application").where("application", "=", application).execute());

    return ServiceKeys.of({
      suspend: Effect.fn("ServiceKeys.suspend")(function* (application, now) {
        if (!(yield* hasKeys(application))) return false;
        yield* query((db) =>
          db
            .insertInto("suspended_application")
            .values({ application, suspended_at: now })
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        );
        return true;
      }, together),

      resume: Effect.fn("ServiceKeys.resume")(function* (application) {
        if (!(yield* hasKeys(application))) return false;
        yield* endSuspension(application);
        return true;
      }, together),

      insert: Effect.fn("ServiceKeys.insert")(function* (key, hash) {
        yield* query((db) => db.insertInto("service_key").values(rowOf(key, hash)).execute());
      }),

      findByHash: Effect.fnUntraced(function* (id, hash) {
        const row = yield* rowWith(id);
        return yield* readRow(Option.filter(row, (found) => isSameHash(found.hash, hash)));
      }),

      find: (id) => Effect.flatMap(rowWith(id), readRow),

      list: Effect.fn("ServiceKeys.list")((after, limit) => listAfter(after, limit, selectPage, keyOf)),

      change: Effect.fn("ServiceKeys.change")((id, decide) =>
        modifyLocked(
          database,
          (db) => db.selectFrom("service_key").selectAll().where("id", "=", id),
          Effect.fnUntraced(function* (row) {
            const known = yield* readRow(row);
            if (Option.isNone(known)) return Option.none();
            const [answer, after] = decide(known.value);
            const { name, expires_at, send_per_day, notify } = SERVICE_KEY.rowOf(after);
            const set = { name, expires_at, send_per_day, notify, grants: keyGrantsJson.write(after) };
            yield* query((db) => db.updateTable("service_key").set(set).where("id", "=", id).execute());
            return Option.some(answer);
          }),
        ),
      ),

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
        yield* endSuspension(application);
        return rows.map(({ id }) => id);
      }, together),
    });
  }),
);
