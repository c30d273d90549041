import { assert, it } from "@effect/vitest";
import { AccountId } from "@postern/core/shared";
import { MovedMessages } from "@postern/core/watch";
import { Effect } from "effect";
import { Database } from "../src/database/Database.ts";
import { inMemory } from "./databases.ts";

const ACCOUNT = AccountId("a@x.test");
const at = (folderId: string, uid: number) => ({ folderId, uidValidity: 1, uid });

it.effect("a message that an earlier release moved keeps the id that was last returned [S5.2-10]", () =>
  Effect.gen(function* () {
    const { query } = yield* Database;
    const moved = yield* MovedMessages;
    const place = { account: ACCOUNT, uid_validity: 1, to_uid_validity: 1, moved_at: 1 };
    // A row as a node of the earlier release writes it.
    yield* query((db) =>
      db
        .insertInto("moved_message")
        .values([
          { ...place, folder_id: "a", uid: 1, to_folder_id: "b", to_uid: 2 },
          { ...place, folder_id: "b", uid: 2, to_folder_id: "c", to_uid: 3 },
        ] as never)
        .execute(),
    );
    const idsAt = (folderId: string, uid: number) =>
      Effect.map(moved.find(ACCOUNT, [{ folderId, uidValidity: 1, uids: [uid] }]), ({ left }) =>
        left.map(({ from, now, id }) => [from.folderId, now.folderId, id.folderId].join(" > ")).toSorted(),
      );
    assert.deepStrictEqual(yield* idsAt("c", 3), ["b > c > c"]);
    yield* moved.settle(ACCOUNT, [{ from: at("c", 3), now: at("d", 4) }], 2);
    assert.deepStrictEqual(yield* idsAt("d", 4), ["b > d > c", "c > d > c"]);
  }).pipe(Effect.provide(inMemory)),
);
