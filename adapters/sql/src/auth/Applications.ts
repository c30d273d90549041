import { type Application, Applications } from "@postern/core/auth";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import { APPLICATION } from "../tables/auth.ts";

/** Applications: the names in the table `service_key`, with their suspensions, and their profiles in `application`. */
export const layer: Layer.Layer<Applications, never, Database> = Layer.effect(
  Applications,
  Effect.gen(function* () {
    const { query, together, lockRows } = yield* Database;

    const select = (where: { readonly after: string; readonly limit: number } | { readonly name: string }) =>
      Effect.map(
        query((db) => {
          const names = db
            .selectFrom("service_key as k")
            .select(["k.application", (row) => row.fn.countAll<number | string>().as("keys")])
            .groupBy("k.application")
            .orderBy("k.application");
          const some =
            "name" in where
              ? names.where("k.application", "=", where.name)
              : names.where("k.application", ">", where.after).limit(where.limit);
          return db
            .selectFrom(some.as("n"))
            .leftJoin("suspended_application as s", "s.application", "n.application")
            .leftJoin("application as a", "a.application", "n.application")
            .select([
              "n.application",
              "n.keys",
              "s.suspended_at",
              "a.display_name",
              "a.purpose",
              "a.colour",
              "a.logo",
              "a.notify",
            ])
            .orderBy("n.application")
            .execute();
        }),
        (rows) =>
          rows.map((row): Application => ({
            ...APPLICATION.recordOf(row),
            name: row.application,
            keys: Number(row.keys),
            suspendedAt: row.suspended_at,
          })),
      );
    const find = (name: string) => Effect.map(select({ name }), ([one]) => Option.fromUndefinedOr(one));

    return Applications.of({
      list: Effect.fn("Applications.list")((after, limit) => select({ after, limit })),
      find: Effect.fn("Applications.find")(find),
      change: Effect.fn("Applications.change")(function* (name, decide) {
        if (Option.isNone(yield* find(name))) return Option.none();
        // This row is locked in place of the keys, which every request reads.
        yield* query((db) =>
          db
            .insertInto("application")
            .values({ application: name, display_name: null, purpose: null, colour: null, logo: null, notify: null })
            .onConflict((conflict) => conflict.doNothing())
            .execute(),
        );
        yield* query((db) =>
          lockRows(db.selectFrom("application").selectAll().where("application", "=", name)).executeTakeFirst(),
        );
        const known = yield* find(name);
        if (Option.isNone(known)) return Option.none();
        const after = decide(known.value);
        if (after !== undefined) {
          const set = APPLICATION.rowOf(after);
          yield* query((db) => db.updateTable("application").set(set).where("application", "=", name).execute());
        }
        return Option.some(after);
      }, together),
      forget: Effect.fn("Applications.forget")(function* (name) {
        yield* query((db) => db.deleteFrom("application").where("application", "=", name).execute());
      }),
    });
  }),
);
