import { assert, it } from "@effect/vitest";
import type { ListedMailbox } from "../src/mail/index.ts";
import { EventPublisher } from "../src/events/index.ts";
import { AccountId, Entropy, OpaqueIds, Transaction } from "../src/shared/index.ts";
import { Context, Effect, Layer } from "effect";
import type { FolderRecord } from "../src/folders/FolderRecord.ts";
import { Folders } from "../src/folders/Folders.ts";
import { FolderRecords } from "../src/folders/ports/FolderRecords.ts";
import { MailboxTree } from "../src/folders/ports/MailboxTree.ts";

const JANE = AccountId("jane@x.test");

const mailbox = (path: string, unread: number): ListedMailbox => ({
  path,
  prefix: "",
  delimiter: "/",
  role: null,
  status: { total: 9, unread, uidValidity: 1, uidNext: 10, mailboxId: null },
});

/** Folders whose records and listing the test sets. */
const worldWith = Effect.fnUntraced(function* (first: ReadonlyArray<ListedMailbox>) {
  const state = { records: [] as ReadonlyArray<FolderRecord>, listing: first };
  const stubs = Context.make(MailboxTree, {
    list: () => Effect.sync(() => state.listing),
  } as unknown as MailboxTree["Service"]).pipe(
    Context.add(FolderRecords, {
      load: () => Effect.sync(() => state.records.map((record) => ({ ...record }))),
      replace: (_: AccountId, records: typeof state.records) =>
        Effect.sync(() => (state.records = records) === records),
    } as unknown as FolderRecords["Service"]),
    Context.add(OpaqueIds, {
      accountId: () => "acc_1",
      folderId: (_: AccountId, identity: string) => `f_${identity}`,
    } as unknown as OpaqueIds["Service"]),
    Context.add(Entropy, { id: () => Effect.succeed("id") } as unknown as Entropy["Service"]),
    Context.add(EventPublisher, { publish: () => Effect.succeed([]), publishNow: () => Effect.void }),
    Context.add(Transaction, { run: (effect) => effect }),
  );
  const syncs = yield* Layer.build(Layer.provide(Folders.layer, Layer.succeedContext(stubs)));
  return { state, sync: Context.get(syncs, Folders).sync(JANE) };
});

it.effect("requests that share a listing share its result, while the records are the same", () =>
  Effect.gen(function* () {
    const { state, sync } = yield* worldWith([mailbox("A", 1), mailbox("B", 0)]);
    const before = yield* sync;
    assert.strictEqual(yield* sync, before);

    state.records = state.records.map((record) => (record.path === "A" ? { ...record, id: "f_renamed" } : record));
    const renamed = yield* sync;
    assert.deepStrictEqual(
      renamed.folders.map(({ id }) => id),
      ["f_renamed", before.folders[1]!.id],
    );

    state.listing = [mailbox("A", 2), mailbox("B", 0)];
    assert.strictEqual((yield* sync).folders[0]!.unreadCount, 2);
  }),
);
