import { it } from "@effect/vitest";
import { FolderManagement } from "@postern/core/folders";
import { Inbox, MessageActions, Messages, Search } from "@postern/core/messages";
import { AccountId, StoreUnavailable } from "@postern/core/shared";
import { MovedMessages } from "@postern/core/watch";
import { harnessWithStores } from "@postern/harness";
import { StoresInMemory, UploadContentsInMemory } from "@postern/memory";
import { Context, Effect, Layer } from "effect";
import { expect } from "vitest";
import { SeededRandom } from "../src/cluster/timeline/SeededRandom.ts";
import { signIn } from "./call.ts";
import { sqliteStores } from "./sql-stores.ts";

const DEMO = AccountId("demo@postern.test");
const FOLDERS = ["A", "B", "inbox", "trash"] as const;

/** Where a process ends during a move: before the command, or after it and before its outcome is recorded. */
type Crash = "none" | "before" | "after";

const SEEDS = 12;

interface Action {
  readonly kind: "move" | "batch" | "folder" | "copy";
  readonly message: number;
  readonly to: (typeof FOLDERS)[number];
  readonly crash: Crash;
}

const actionsOf = (seed: number): ReadonlyArray<Action> => {
  const random = new SeededRandom(seed);
  return Array.from({ length: random.between(1, 8) }, () => ({
    kind: random.pick(["move", "move", "batch", "folder", "copy"] as const)!,
    message: random.between(0, 6),
    to: random.pick(FOLDERS)!,
    crash: random.pick(["none", "before", "after"] as const)!,
  }));
};

const rawOf = (messageId: string) =>
  new TextEncoder().encode(`Message-ID: ${messageId}\r\nSubject: filed ${messageId}\r\n\r\nText\r\n`);
/** The last two have equal contents. */
const MESSAGES = ["<1@x>", "<2@x>", "<3@x>", "<4@x>", "<twin@x>", "<twin@x>"];

const memory = Layer.merge(StoresInMemory, UploadContentsInMemory);

/** Moves messages, with crashes, and opens every id that was ever shown after each step. */
const idsStay = (stores: Parameters<typeof harnessWithStores>[0]) =>
  Effect.fnUntraced(function* (actions: ReadonlyArray<Action>) {
    const context = yield* Layer.build(stores);
    const real = Context.get(context, MovedMessages);
    let crash: Crash = "none";
    /** Does what it is asked and then fails, once, as a process that ends at this moment. */
    const endAt = <A>(moment: Crash, effect: Effect.Effect<A, StoreUnavailable>) =>
      Effect.tap(effect, () => {
        if (crash !== moment) return Effect.void;
        crash = "none";
        return Effect.fail(new StoreUnavailable({ detail: "the process ended" }));
      });
    const hooked = MovedMessages.of({
      ...real,
      begin: (account, moves) => endAt("before", real.begin(account, moves)),
      settle: (account, moves, at) =>
        crash === "after" ? endAt("after", Effect.void) : real.settle(account, moves, at),
    });
    const service = yield* harnessWithStores(Layer.succeedContext(Context.add(context, MovedMessages, hooked)));
    yield* signIn(service);
    const account = service.mail.account(DEMO);
    const boxes = [account.create("A"), account.create("B"), account.mailbox("INBOX")];
    for (const [n, messageId] of MESSAGES.entries()) boxes[n % 3]!.append(rawOf(messageId), service.now());

    /** The Message-ID of each id that was shown, and the id of each message that has no equal. */
    const shown = new Map<string, string>();
    const idOf = new Map<string, string>();
    const listed = Effect.fnUntraced(function* () {
      const all = [];
      for (const folder of FOLDERS) {
        const { page } = yield* (yield* Inbox).list(DEMO, { folder, limit: 200 });
        all.push(...page.emails.filter(({ message }) => message.messageId?.endsWith("@x>")));
      }
      return all.map(({ id, message }) => ({ id, messageId: message.messageId! }));
    });
    const check = Effect.fnUntraced(function* () {
      // The newest first: reading an older one may look for the moves of all.
      for (const [id, messageId] of [...shown].toReversed()) {
        const read = yield* (yield* Messages).read(DEMO, id);
        expect([read.id, read.summary.messageId]).toEqual([id, messageId]);
      }
      const all = yield* listed();
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
      for (const { id, messageId } of all) {
        expect(shown.get(id) ?? messageId).toBe(messageId);
        shown.set(id, messageId);
        if (messageId.includes("twin") || messageId.includes("copy")) continue;
        expect(idOf.get(messageId) ?? id).toBe(id);
        idOf.set(messageId, id);
      }
      const found = yield* (yield* Search).list(DEMO, { subject: "filed", limit: 200 });
      expect(found.emails.map(({ id }) => id).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
      return all;
    });

    let copies = 0;
    const act = Effect.fnUntraced(function* (action: Action) {
      const all = yield* check();
      const { id } = all[action.message % all.length]!;
      if (action.kind === "copy") {
        boxes[action.to === "A" ? 0 : 1]!.append(rawOf(`<copy${copies++}@x>`), service.now());
        return;
      }
      ({ crash } = action);
      const actions = yield* MessageActions;
      const folders = yield* FolderManagement;
      if (action.kind === "move") {
        yield* Effect.exit(actions.change(DEMO, id, { flagged: true }, yield* idIn(action.to)));
      } else if (action.kind === "batch") {
        const ids = all.slice(0, 3).map((one) => one.id);
        const change = { _tag: "Change" as const, flags: {}, folderId: yield* idIn(action.to) };
        yield* Effect.exit(actions.carryOut(DEMO, ids, change));
      } else {
        const wanted = crash;
        crash = "none";
        const name = `C${copies++}`;
        const { id: folder } = yield* folders.create(DEMO, { name, parentId: null });
        // Another client files a message there, which is shown in this folder first.
        account.mailbox(name).append(rawOf(`<copy in ${name}@x>`), service.now());
        const { page } = yield* (yield* Inbox).list(DEMO, { folderId: folder });
        for (const one of page.emails) shown.set(one.id, one.message.messageId!);
        yield* actions.carryOut(DEMO, [id], { _tag: "Change", flags: {}, folderId: folder });
        crash = wanted;
        const request = { permanent: false, recursive: false, moveTo: yield* idIn(action.to) };
        yield* Effect.exit(folders.remove(DEMO, folder, request));
        crash = "none";
        yield* Effect.exit(folders.remove(DEMO, folder, request));
      }
      crash = "none";
    });
    const idIn = Effect.fnUntraced(function* (name: string) {
      if (name === "inbox" || name === "trash") return name;
      return (yield* (yield* FolderManagement).list(DEMO)).find((folder) => folder.name === name)!.id;
    });

    yield* service.inCore(Effect.forEach(actions, act));
    yield* service.inCore(check());
  }, Effect.scoped);

for (const [name, stores] of [
  ["memory", memory],
  ["SQLite", Layer.orDie(sqliteStores)],
] as const) {
  it.live.each(Array.from({ length: SEEDS }, (_, seed) => seed))(
    `every id that was shown opens its message, over random moves with crashes, on ${name} (seed %i) [S5.2-9] [S5.2-11]`,
    (seed) => idsStay(stores)(actionsOf(seed)),
  );
}
