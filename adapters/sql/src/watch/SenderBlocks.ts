import { addressKey } from "@postern/core/mail";
import { AccountId } from "@postern/core/shared";
import { type SenderBlock, SenderBlocks } from "@postern/core/watch";
import { Effect, Layer, Option } from "effect";
import { Database } from "../database/Database.ts";
import type { SenderBlockRow } from "../tables/watch.ts";

const blockOf = ({ id, account, address, created_at }: SenderBlockRow): SenderBlock => ({
  id,
  account: AccountId(account),
  address,
  createdAt: created_at,
});

/** Blocked senders in the table `sender_block` (spec 5.9). */
export const layer: Layer.Layer<SenderBlocks, never, Database> = Layer.effect(
  SenderBlocks,
  Effect.gen(function* () {
    const { lockNames, query, transaction } = yield* Database;
    return SenderBlocks.of({
      list: Effect.fn("SenderBlocks.list")(function* (account) {
        const rows = yield* query((db) =>
          db
            .selectFrom("sender_block")
            .selectAll()
            .where("account", "=", account)
            .orderBy("created_at")
            .orderBy("id")
            .execute(),
        );
        return rows.map(blockOf);
      }),
      findBlocked: Effect.fn("SenderBlocks.findBlocked")(function* (account, keys) {
        const known = keys.filter((key) => !key.includes("\0"));
        if (known.length === 0) return new Set<string>();
        const rows = yield* query((db) =>
          db
            .selectFrom("sender_block")
            .select("address_key")
            .where("account", "=", account)
            .where("address_key", "in", known)
            .execute(),
        );
        return new Set(rows.map(({ address_key }) => address_key));
      }),
      insert: Effect.fn("SenderBlocks.insert")(function* (block, most) {
        const { id, account, address, createdAt } = block;
        const key = addressKey(address);
        yield* lockNames([`blocks of ${account}`]);
        const known = yield* query((db) =>
          db
            .selectFrom("sender_block")
            .selectAll()
            .where("account", "=", account)
            .where("address_key", "=", key)
            .executeTakeFirst(),
        );
        if (known !== undefined) return Option.some(blockOf(known));
        const { many } = yield* query((db) =>
          db
            .selectFrom("sender_block")
            .select((select) => select.fn.countAll().as("many"))
            .where("account", "=", account)
            .executeTakeFirstOrThrow(),
        );
        if (Number(many) >= most) return Option.none();
        const row = { id, account, address_key: key, address, created_at: createdAt };
        yield* query((db) => db.insertInto("sender_block").values(row).execute());
        return Option.some(block);
      }, transaction),
      remove: Effect.fn("SenderBlocks.remove")(function* (account, id) {
        if (id.includes("\0")) return false;
        const { numDeletedRows } = yield* query((db) =>
          db.deleteFrom("sender_block").where("account", "=", account).where("id", "=", id).executeTakeFirstOrThrow(),
        );
        return numDeletedRows === 1n;
      }),
      erase: Effect.fn("SenderBlocks.erase")(function* (account) {
        yield* query((db) => db.deleteFrom("sender_block").where("account", "=", account).execute());
      }),
    });
  }),
);
