import { EVERY_ACCOUNT } from "@postern/core/auth";
import { type Endpoint, Endpoints, MAX_ENDPOINTS, type SigningSecrets } from "@postern/core/webhooks";
import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect";
import { sql, type UpdateQueryBuilder, type UpdateResult } from "kysely";
import { Database } from "../database/Database.ts";
import { RecordCipher, type RecordPlace } from "../database/RecordCipher.ts";
import type { Tables } from "../tables/Tables.ts";
import { deleteDeliveries } from "./delivery-rows.ts";
import { nameOf, nameOfApplication, ownedBy } from "./endpoint-owners.ts";
import { endpointOf, endpointRow, putEndpoints } from "./endpoint-rows.ts";
import { present, subscriptions } from "./subscriptions.ts";

const Sealed = Schema.fromJsonString(
  Schema.Struct({
    current: Schema.String,
    next: Schema.NullOr(Schema.Struct({ secret: Schema.String, activatesAt: Schema.Number })),
  }),
);
const encode = Schema.encodeEffect(Sealed);
const decode = Schema.decodeEffect(Sealed);

/** Returns the place of the sealed secrets of an endpoint. */
export const endpointSecretPlace = (endpointId: string): RecordPlace => ({
  table: "endpoint_secret",
  account: endpointId,
  column: "sealed",
});

type EndpointUpdate = UpdateQueryBuilder<Tables, "endpoint", "endpoint", UpdateResult>;

const MAX_OPENED = 1000;

/** Endpoints in the table `endpoint`, their secrets sealed in `endpoint_secret` (spec 7). */
export const layer: Layer.Layer<Endpoints, never, Database | RecordCipher> = Layer.effect(
  Endpoints,
  Effect.gen(function* () {
    const { query, together, transaction, lockNames, lockRows, keepRows, skipLocked, tableOf, wakeUp } =
      yield* Database;
    const cipher = yield* RecordCipher;
    const delivery = wakeUp("delivery");
    const wake = Effect.flatMap(Clock.currentTimeMillis, delivery.wake);

    const seal = Effect.fnUntraced(function* (id: string, { current, next }: SigningSecrets) {
      const text = yield* Effect.orDie(
        encode({
          current: Redacted.value(current),
          next: next === null ? null : { secret: Redacted.value(next.secret), activatesAt: next.activatesAt },
        }),
      );
      return yield* cipher.seal(new TextEncoder().encode(text), endpointSecretPlace(id));
    });

    const open = Effect.fnUntraced(
      function* (id: string, sealed: string): Effect.fn.Return<SigningSecrets, string> {
        const plain = yield* Effect.mapError(cipher.open(sealed, endpointSecretPlace(id)), ({ message }) => message);
        const { current, next } = yield* Effect.mapError(
          decode(new TextDecoder().decode(plain)),
          () => "they are not signing secrets",
        );
        return {
          current: Redacted.make(current),
          next: next === null ? null : { ...next, secret: Redacted.make(next.secret) },
        };
      },
      // The endpoint works again when the key is configured again, or when its secret is rotated.
      (opening, endpoint) =>
        Effect.tapError(opening, (detail) =>
          Effect.logError("the secrets of an endpoint cannot be decrypted", { endpoint, detail }),
        ),
      Effect.option,
    );
    /** The secrets that were opened last, so that a busy endpoint's secrets are not decrypted for each webhook. */
    const opened = new Map<string, { readonly sealed: string; readonly secrets: SigningSecrets }>();

    /** Hides endpoints and their deliveries in flight, so that no worker settles these deliveries. */
    const hide = Effect.fnUntraced(function* (narrow: (some: EndpointUpdate) => EndpointUpdate) {
      const now = yield* Clock.currentTimeMillis;
      const hidden = yield* query((db) =>
        narrow(db.updateTable("endpoint").set({ removed_at: now, state: "disabled" }).where("removed_at", "is", null))
          .returning("id")
          .execute(),
      );
      const ids = hidden.map(({ id }) => id);
      if (ids.length === 0) return ids;
      yield* query((db) => db.deleteFrom("endpoint_secret").where("endpoint_id", "in", ids).execute());
      yield* query((db) => db.deleteFrom("endpoint_reach").where("endpoint_id", "in", ids).execute());
      yield* query((db) =>
        db.deleteFrom("delivery").where("endpoint_id", "in", ids).where("state", "=", "in_flight").execute(),
      );
      return ids;
    });

    const eraseRemoved = Effect.fn("Endpoints.eraseRemoved")(function* (limit: number) {
      const { rows } = yield* query((db) =>
        sql<{ id: string }>`select id from ${sql.table("endpoint")} where removed_at is not null
          order by removed_at, id limit 1 ${skipLocked}`.execute(db),
      );
      const id = rows[0]?.id;
      if (id === undefined) return false;
      const deliveries = yield* query((db) =>
        db.selectFrom("delivery").select("id").where("endpoint_id", "=", id).orderBy("id").limit(limit).execute(),
      );
      const ids = deliveries.map((one) => one.id);
      if (ids.length > 0) yield* query((db) => deleteDeliveries(db, tableOf, ids));
      else yield* query((db) => db.deleteFrom("endpoint").where("id", "=", id).execute());
      return true;
    }, together);

    const { reaching, ofApplication } = subscriptions(keepRows);

    return Endpoints.of({
      insert: Effect.fn("Endpoints.insert")(function* (endpoint, secrets) {
        yield* lockNames([`endpoints of ${nameOf(endpoint.owner)}`]);
        const { many } = yield* query((db) =>
          db
            .selectFrom("endpoint")
            .select((select) => select.fn.countAll().as("many"))
            .where(ownedBy(endpoint.owner))
            .where("removed_at", "is", null)
            .executeTakeFirstOrThrow(),
        );
        if (Number(many) >= MAX_ENDPOINTS) return false;
        const sealed = yield* seal(endpoint.id, secrets);
        const row = { ...endpointRow(endpoint), last_claimed_at: null, last_claimed_id: null, removed_at: null };
        yield* query((db) => db.insertInto("endpoint").values(row).execute());
        yield* query((db) => db.insertInto("endpoint_secret").values({ endpoint_id: endpoint.id, sealed }).execute());
        const { owner } = endpoint;
        const entries = owner._tag === "Account" ? [] : [...new Set(owner.reach ?? [EVERY_ACCOUNT])];
        if (entries.length > 0) {
          const reached = entries.map((entry) => ({ entry, endpoint_id: endpoint.id }));
          yield* query((db) => db.insertInto("endpoint_reach").values(reached).execute());
        }
        return true;
      }, transaction),

      find: Effect.fn("Endpoints.find")(function* (owner, id) {
        // PostgreSQL refuses NUL in text, also in comparisons.
        if (id.includes("\0")) return Option.none();
        const row = yield* query((db) => present(db).where("id", "=", id).where(ownedBy(owner)).executeTakeFirst());
        return row === undefined ? Option.none() : Option.some(yield* endpointOf(row));
      }),

      list: Effect.fn("Endpoints.list")(function* (owner) {
        const rows = yield* query((db) =>
          present(db).where(ownedBy(owner)).orderBy("created_at").orderBy("id").execute(),
        );
        return yield* Effect.forEach(rows, endpointOf);
      }),

      findSubscribed: (account, entries, type) =>
        Effect.flatMap(
          query((db) => reaching(db, account, entries, type)),
          Effect.forEach(endpointOf),
        ),

      ofApplication: (application, type) =>
        Effect.flatMap(
          query((db) => ofApplication(db, application, type)),
          Effect.forEach(endpointOf),
        ),

      listReachEntries: Effect.map(
        query((db) => db.selectFrom("endpoint_reach").select("entry").distinct().execute()),
        (rows) => rows.map(({ entry }) => entry),
      ),

      isReached: Effect.fnUntraced(function* (entries) {
        if (entries.length === 0) return false;
        const found = yield* query((db) =>
          db.selectFrom("endpoint_reach").select("entry").where("entry", "in", entries).limit(1).executeTakeFirst(),
        );
        return found !== undefined;
      }),

      change: <A>(ids: ReadonlyArray<string>, decide: (endpoint: Endpoint) => readonly [A, Endpoint]) =>
        Effect.gen(function* () {
          const rows = yield* query((db) => lockRows(present(db).where("id", "in", ids).orderBy("id")).execute());
          const answers: Array<A> = [];
          const changed: Array<Endpoint> = [];
          let sooner = false;
          for (const row of rows) {
            const before = yield* endpointOf(row);
            const [answer, after] = decide(before);
            answers.push(answer);
            if (after === before) continue;
            sooner ||= after.state !== before.state || after.ordered !== before.ordered;
            changed.push(after);
          }
          if (changed.length > 0) yield* query((db) => putEndpoints(db, tableOf, changed));
          if (sooner) yield* wake;
          return answers;
        }).pipe(together),

      secrets: Effect.fnUntraced(function* (ids) {
        const rows = yield* query((db) =>
          db.selectFrom("endpoint_secret").selectAll().where("endpoint_id", "in", ids).execute(),
        );
        const found = new Map<string, Option.Option<SigningSecrets>>();
        for (const { endpoint_id: id, sealed } of rows) {
          const known = opened.get(id);
          const secrets = known?.sealed === sealed ? Option.some(known.secrets) : yield* open(id, sealed);
          opened.delete(id);
          if (Option.isSome(secrets)) opened.set(id, { sealed, secrets: secrets.value });
          found.set(id, secrets);
        }
        for (const id of opened.keys()) {
          if (opened.size <= MAX_OPENED) break;
          opened.delete(id);
        }
        return found;
      }),

      replaceSecrets: Effect.fn("Endpoints.replaceSecrets")(function* (id, secrets) {
        const sealed = yield* seal(id, secrets);
        yield* query((db) => db.updateTable("endpoint_secret").set({ sealed }).where("endpoint_id", "=", id).execute());
      }),

      remove: Effect.fn("Endpoints.remove")(function* (owner, id) {
        const removed = yield* hide((some) => some.where("id", "=", id).where(ownedBy(owner)));
        return removed.length > 0;
      }, together),

      removeApplication: Effect.fn("Endpoints.removeApplication")(function* (application) {
        yield* lockNames([`endpoints of ${nameOfApplication(application)}`]);
        const removed = yield* hide((some) => some.where("application", "=", application));
        return removed.length;
      }, together),

      eraseRemoved,

      erase: Effect.fn("Endpoints.erase")(function* (account, limit) {
        yield* hide((some) => some.where("account", "=", account));
        return yield* eraseRemoved(limit);
      }, together),
    });
  }),
);
