import { DatabaseSync } from "node:sqlite";
import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { outgoingWritesIn } from "../src/sqlite/outgoing-writes.ts";

it.effect("waits for the disk at the end of a message only in a transaction with other writes", () =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.sync(() => new DatabaseSync(":memory:")),
      (opened) => Effect.sync(() => opened.close()),
    );
    database.exec(`create table outgoing (id, provider_message_id, state, asked, record, finished_at, lease_token, due_at);
      create table outgoing_contents (id);
      insert into outgoing (id, lease_token) values ('one', 'mine'), ('two', 'mine');`);
    let overlooked = 0;
    const never = () => Promise.reject(new Error("waits for the disk"));
    const { finish } = outgoingWritesIn(database, {
      ended: () => {},
      isDurable: () => false,
      overlook: () => void overlooked++,
      durable: never,
    });
    const end = (id: string) =>
      finish(undefined as never, [
        { id, token: "mine", provider_message_id: null, state: "sent", record: "{}", finished_at: 1 },
      ]);
    assert.deepStrictEqual(yield* Effect.promise(() => end("one")), ["one"]);
    assert.strictEqual(overlooked, 1);
    database.exec("begin");
    assert.deepStrictEqual(yield* Effect.promise(() => end("two")), ["two"]);
    database.exec("commit");
    assert.strictEqual(overlooked, 1);
  }),
);
