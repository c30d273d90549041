import { addressKey } from "@postern/core/mail";
import { AccountId } from "@postern/core/shared";
import { type Contact, ContactRecords } from "@postern/core/send";
import { sql } from "kysely";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import type { ContactRow } from "../tables/send.ts";

/** Maximum number of rows in one statement: PostgreSQL takes 65,535 parameters, SQLite 32,766. */
const ROWS = 500;

const fold = (text: string): string => text.normalize("NFC").toLowerCase();

const rowOf = ({ id, account, name, address, lastWrittenAt, forgottenAt }: Contact): ContactRow => ({
  id,
  account,
  address_key: addressKey(address),
  address,
  name,
  folded: fold(`${name} ${address}`),
  last_written_at: lastWrittenAt,
  forgotten_at: forgottenAt,
});

const contactOf = ({ id, account, name, address, last_written_at, forgotten_at }: ContactRow): Contact => ({
  id,
  account: AccountId(account),
  name,
  address,
  lastWrittenAt: last_written_at,
  forgottenAt: forgotten_at,
});

const slices = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / ROWS) }, (_, n) => all.slice(n * ROWS, (n + 1) * ROWS));

/** Contacts in the tables `contact` and `sent_scan` (spec 12.5). */
export const layer: Layer.Layer<ContactRecords, never, Database> = Layer.effect(
  ContactRecords,
  Effect.gen(function* () {
    const { query, lockRows } = yield* Database;
    return ContactRecords.of({
      search: Effect.fn("ContactRecords.search")(function* (account, text, after, limit) {
        const pattern = `%${fold(text).replaceAll(/[\\%_]/g, "\\$&")}%`;
        const rows = yield* query((db) =>
          db
            .selectFrom("contact")
            .selectAll()
            .where("account", "=", account)
            .where("forgotten_at", "is", null)
            .where(sql<boolean>`folded like ${pattern} escape ${"\\"}`)
            .$if(after !== undefined, (select) =>
              select.where((eb) =>
                eb.or([
                  eb("last_written_at", "<", after!.at),
                  eb.and([eb("last_written_at", "=", after!.at), eb("id", ">", after!.id)]),
                ]),
              ),
            )
            .orderBy("last_written_at", "desc")
            .orderBy("id")
            .limit(limit)
            .execute(),
        );
        return rows.map(contactOf);
      }),
      find: Effect.fn("ContactRecords.find")(function* (account, keys) {
        const found = yield* Effect.forEach(slices(keys.toSorted()), (some) =>
          query((db) =>
            lockRows(
              db
                .selectFrom("contact")
                .selectAll()
                .where("account", "=", account)
                .where("address_key", "in", some)
                .orderBy("address_key"),
            ).execute(),
          ),
        );
        return found.flat().map(contactOf);
      }),
      save: Effect.fn("ContactRecords.save")(function* (contacts) {
        yield* Effect.forEach(slices(contacts.map(rowOf)), (rows) =>
          query((db) =>
            db
              .insertInto("contact")
              .values(rows)
              .onConflict((conflict) =>
                conflict.columns(["account", "address_key"]).doUpdateSet((eb) => ({
                  address: eb.ref("excluded.address"),
                  name: eb.ref("excluded.name"),
                  folded: eb.ref("excluded.folded"),
                  last_written_at: eb.ref("excluded.last_written_at"),
                  forgotten_at: eb.ref("excluded.forgotten_at"),
                })),
              )
              .execute(),
          ),
        );
      }),
      forget: Effect.fn("ContactRecords.forget")(function* (account, id, at) {
        if (id.includes("\0")) return false;
        const { numUpdatedRows } = yield* query((db) =>
          db
            .updateTable("contact")
            .set({ forgotten_at: at })
            .where("account", "=", account)
            .where("id", "=", id)
            .where("forgotten_at", "is", null)
            .executeTakeFirstOrThrow(),
        );
        return numUpdatedRows === 1n;
      }),
      findScan: Effect.fn("ContactRecords.findScan")(function* (account) {
        const row = yield* query((db) =>
          db.selectFrom("sent_scan").selectAll().where("account", "=", account).executeTakeFirst(),
        );
        return Option.map(Option.fromUndefinedOr(row), ({ uid_validity, uid_from, uid_below }) => ({
          uidValidity: uid_validity,
          from: uid_from,
          below: uid_below,
        }));
      }),
      saveScan: Effect.fn("ContactRecords.saveScan")(function* (account, { uidValidity, from, below }) {
        const scan = { uid_validity: uidValidity, uid_from: from, uid_below: below };
        yield* query((db) =>
          db
            .insertInto("sent_scan")
            .values({ account, ...scan })
            .onConflict((conflict) => conflict.column("account").doUpdateSet(scan))
            .execute(),
        );
      }),
      erase: Effect.fn("ContactRecords.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("contact").where("account", "=", account).execute());
        yield* query((db) => db.deleteFrom("sent_scan").where("account", "=", account).execute());
      }),
    });
  }),
);
