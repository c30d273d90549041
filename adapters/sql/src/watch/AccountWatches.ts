import { AccountId, type Lease } from "@postern/core/shared";
import { AccountWatches } from "@postern/core/watch";
import { Effect, Layer } from "effect";
import { type RawBuilder, sql } from "kysely";
import { Database } from "../database/Database.ts";
import { RecordCipher } from "../database/RecordCipher.ts";
import type { AccountWatchRow } from "../tables/watch.ts";

/** Milliseconds after which nodes without a heartbeat are deleted. */
const FORGET_NODES_AFTER = 60_000;

/** The `lease_until` of a watch that no node has had yet. Released watches keep the end of their last lease. */
const NEVER_LEASED = 0;

const watchOf = ({ account, epoch }: Pick<AccountWatchRow, "account" | "epoch">) => ({
  account: AccountId(account),
  epoch,
});

/** Watches and their leases in the table `account_watch`, nodes in `node`. */
export const layer: Layer.Layer<AccountWatches, never, Database | RecordCipher> = Layer.effect(
  AccountWatches,
  Effect.gen(function* () {
    const { query, transaction, lockRows, skipLocked, wakeUp, isOursAlone } = yield* Database;
    const sealing_keys = (yield* RecordCipher).kids.join(",");
    const { wake: wakeAt, changed } = wakeUp("account_watch");
    const wake = wakeAt(0);

    // Owners that remain are from this process before its restart.
    if (isOursAlone) {
      yield* Effect.orDie(query((db) => db.updateTable("account_watch").set({ owner: null }).execute()));
    }

    const extend = Effect.fn("AccountWatches.extend")(function* (account: AccountId, until: number) {
      const { numUpdatedRows } = yield* query((db) =>
        db
          .updateTable("account_watch")
          .set((row) => ({
            wanted_until: row
              .case()
              .when("wanted_until", "<", until)
              .then(row.val(until))
              .else(row.ref("wanted_until"))
              .end(),
          }))
          .where("account", "=", account)
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    });

    const release = (token: string, accounts: ReadonlyArray<AccountId> | "all") =>
      query((db) => {
        const ours = db.updateTable("account_watch").set({ owner: null }).where("owner", "=", token);
        return (accounts === "all" ? ours : ours.where("account", "in", accounts)).execute();
      });

    const claimWhere = Effect.fnUntraced(function* (
      condition: RawBuilder<unknown>,
      now: number,
      { token, until }: Lease,
      limit: number,
    ) {
      const { rows } = yield* query((db) =>
        sql<AccountWatchRow>`
          with picked as (
            select account from ${sql.table("account_watch")} where ${condition} and (owner is null or lease_until <= ${now})
            order by account limit ${limit} ${skipLocked}
          )
          update ${sql.table("account_watch")} set owner = ${token}, lease_until = ${until}, epoch = epoch + 1
          where account in (select account from picked) returning *`.execute(db),
      );
      return rows.map(watchOf);
    });

    return AccountWatches.of({
      isOursAlone,
      extend,

      selectWatched: Effect.fn("AccountWatches.selectWatched")(function* (accounts) {
        if (accounts.length === 0) return new Set();
        const rows = yield* query((db) =>
          db.selectFrom("account_watch").select("account").where("account", "in", accounts).execute(),
        );
        return new Set(rows.map(({ account }) => AccountId(account)));
      }),

      add: Effect.fn("AccountWatches.add")(function* (account, until) {
        const row = { account, wanted_until: until, owner: null, lease_until: NEVER_LEASED, epoch: until };
        const made = yield* query((db) =>
          db
            .insertInto("account_watch")
            .values(row)
            .onConflict((conflict) => conflict.column("account").doNothing())
            .returning("account")
            .executeTakeFirst(),
        );
        if (made === undefined) yield* extend(account, until);
        else yield* wake;
        return made !== undefined;
      }, Effect.uninterruptible),

      beat: Effect.fn("AccountWatches.beat")(function* (now, { token, until }) {
        if (!isOursAlone) {
          yield* query((db) =>
            db
              .insertInto("node")
              .values({ id: token, alive_until: until, sealing_keys })
              .onConflict((conflict) => conflict.column("id").doUpdateSet({ alive_until: until, sealing_keys }))
              .execute(),
          );
          yield* query((db) =>
            db
              .deleteFrom("node")
              .where("alive_until", "<", now - FORGET_NODES_AFTER)
              .execute(),
          );
        }
        const { rows } = yield* query((db) =>
          sql<{ nodes: number; accounts: number }>`select
            (select count(*) from ${sql.table("node")} where alive_until > ${now}) as nodes,
            (select count(*) from ${sql.table("account_watch")}) as accounts`.execute(db),
        );
        const { nodes, accounts } = rows[0]!;
        return { nodes: Math.max(1, Number(nodes)), accounts: Number(accounts) };
      }),

      claim: Effect.fn("AccountWatches.claim")(function* (now, lease, limit) {
        const continued = yield* claimWhere(sql`lease_until > ${NEVER_LEASED}`, now, lease, limit);
        const left = limit - continued.length;
        const first = left > 0 ? yield* claimWhere(sql`lease_until = ${NEVER_LEASED}`, now, lease, left) : [];
        return [
          ...continued.map((watch) => ({ ...watch, isFirst: false })),
          ...first.map((watch) => ({ ...watch, isFirst: true })),
        ];
      }),

      renew: Effect.fn("AccountWatches.renew")(function* ({ token, until }) {
        // While this node writes an arrival, the row is locked, and its lease is renewed at the next pass. Waiting for
        // the lock would delay other renewals.
        yield* query((db) =>
          sql`update ${sql.table("account_watch")} set lease_until = ${until} where account in
            (select account from ${sql.table("account_watch")} where owner = ${token} ${skipLocked})`.execute(db),
        );
        const rows = yield* query((db) =>
          db.selectFrom("account_watch").select(["account", "epoch"]).where("owner", "=", token).execute(),
        );
        return rows.map(watchOf).toSorted((one, other) => (one.account < other.account ? -1 : 1));
      }),

      holds: Effect.fn("AccountWatches.holds")(function* ({ account, epoch }, token) {
        const row = yield* query((db) =>
          lockRows(
            db
              .selectFrom("account_watch")
              .select("account")
              .where("account", "=", account)
              .where("owner", "=", token)
              .where("epoch", "=", epoch),
          ).executeTakeFirst(),
        );
        return row !== undefined;
      }),

      release: Effect.fn("AccountWatches.release")(function* (accounts, token) {
        if (accounts.length > 0) yield* release(token, accounts);
        yield* wake;
      }, Effect.uninterruptible),

      leave: Effect.fn("AccountWatches.leave")(function* (token) {
        yield* release(token, "all");
        yield* query((db) => db.deleteFrom("node").where("id", "=", token).execute());
        yield* wake;
      }, transaction),

      findEnding: Effect.fn("AccountWatches.findEnding")(function* (token, until) {
        const rows = yield* query((db) =>
          db
            .selectFrom("account_watch")
            .select("account")
            .where("owner", "=", token)
            .where("wanted_until", "<=", until)
            .execute(),
        );
        return rows.map(({ account }) => AccountId(account));
      }),

      end: Effect.fn("AccountWatches.end")(function* (accounts, token, by) {
        const { numDeletedRows } = yield* query((db) =>
          db
            .deleteFrom("account_watch")
            .where("owner", "=", token)
            .where("account", "in", accounts)
            .where("wanted_until", "<=", by)
            .executeTakeFirst(),
        );
        if (numDeletedRows > 0n) yield* wake;
      }, Effect.uninterruptible),

      erase: Effect.fn("AccountWatches.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("account_watch").where("account", "=", account).execute());
        yield* wake;
      }, Effect.uninterruptible),

      changed,
    });
  }),
);
