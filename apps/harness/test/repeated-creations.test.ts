import { it } from "@effect/vitest";
import { UseCases } from "@postern/core";
import { CredentialVault } from "@postern/core/auth";
import { CreationRecords } from "@postern/core/creations";
import { Drafts, DraftsFolder } from "@postern/core/drafts";
import { FolderManagement, MailboxChanges } from "@postern/core/folders";
import { MailServerError } from "@postern/core/mail";
import { AccountId } from "@postern/core/shared";
import { adaptersInMemory, harness, harnessWithStores } from "@postern/harness";
import { Context, Effect, Fiber, Layer, Redacted } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { repeatedCreations } from "./repeated-creations.ts";
import { sqliteStores } from "./sql-stores.ts";

repeatedCreations("in memory", harness);
repeatedCreations(
  "on SQLite",
  Effect.flatMap(Layer.build(sqliteStores), (stores) => harnessWithStores(Layer.succeedContext(stores))),
);

const DEMO = AccountId("demo@postern.test");
const KEY = { caller: "owner demo", key: "k", account: DEMO };
const CUT = new MailServerError({ reason: "unreachable", operation: "create", detail: "cut" });

/** The use cases over adapters of which `change` replaces some. */
const useCasesWith = Effect.fnUntraced(function* (
  change: (
    adapters: Context.Context<Layer.Success<typeof adaptersInMemory>>,
  ) => Context.Context<Layer.Success<typeof adaptersInMemory>>,
) {
  const adapters = change(yield* Layer.build(adaptersInMemory));
  const credential = { _tag: "Password", username: DEMO, password: Redacted.make("demo") } as const;
  yield* Context.get(adapters, CredentialVault).keep(DEMO, credential);
  return yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(adapters)));
});

/** Runs the first call alone otherwise. */
const first = <A extends ReadonlyArray<unknown>, B>(instead: (...given: A) => B, real: (...given: A) => B) => {
  let calls = 0;
  return (...given: A): B => (calls++ === 0 ? instead(...given) : real(...given));
};

describe("a creation on the mail server", () => {
  it.effect.each(["before", "after"])("finds or makes the folder if the connection was cut %s it was made", (when) =>
    Effect.gen(function* () {
      const useCases = yield* useCasesWith((adapters) => {
        const changes = Context.get(adapters, MailboxChanges);
        const create = first<Parameters<typeof changes.create>, ReturnType<typeof changes.create>>(
          (account, path) =>
            Effect.andThen(when === "after" ? changes.create(account, path) : Effect.void, Effect.fail(CUT)),
          changes.create,
        );
        return Context.add(adapters, MailboxChanges, { ...changes, create });
      });
      const folders = Context.get(useCases, FolderManagement);
      const create = folders.create(DEMO, { name: "Bills", parentId: null }, KEY);
      expect(yield* Effect.flip(create)).toBe(CUT);
      const made = yield* create;
      expect(yield* create).toEqual(made);
      yield* folders.change(DEMO, made.id, { name: "Paid" });
      expect(yield* create).toMatchObject({ id: made.id, name: "Paid" });
      const named = (yield* folders.list(DEMO)).filter(({ name }) => name === "Bills" || name === "Paid");
      expect(named).toHaveLength(1);
    }).pipe(Effect.scoped),
  );

  it.effect.each(["before", "after"])("finds or makes the draft if the connection was cut %s it was stored", (when) =>
    Effect.gen(function* () {
      const useCases = yield* useCasesWith((adapters) => {
        const folder = Context.get(adapters, DraftsFolder);
        const append = first<Parameters<typeof folder.append>, ReturnType<typeof folder.append>>(
          (...given) => Effect.andThen(when === "after" ? folder.append(...given) : Effect.void, Effect.fail(CUT)),
          folder.append,
        );
        return Context.add(adapters, DraftsFolder, { ...folder, append });
      });
      const drafts = Context.get(useCases, Drafts);
      const create = drafts.create(DEMO, { subject: "once", text: "x" }, KEY);
      expect(yield* Effect.flip(create)).toBe(CUT);
      const made = yield* create;
      expect((yield* create).id).toBe(made.id);
      const isIt = ({ subject }: { readonly subject: string }) => subject === "once";
      expect((yield* drafts.page(DEMO, {})).items.filter(isIt)).toHaveLength(1);
      yield* drafts.remove(DEMO, made.id);
      expect((yield* Effect.flip(create))._tag).toBe("CreatedThenDeleted");
      expect((yield* drafts.page(DEMO, {})).items.filter(isIt)).toHaveLength(0);
    }).pipe(Effect.scoped),
  );

  it.effect(
    "is in progress while the first request works on it, and tried again once its lease ended [S2.6-8] [S2.6-9]",
    () =>
      Effect.gen(function* () {
        let isCut = false;
        const useCases = yield* useCasesWith((adapters) => {
          const changes = Context.get(adapters, MailboxChanges);
          const create = first<Parameters<typeof changes.create>, ReturnType<typeof changes.create>>(
            () => Effect.never,
            changes.create,
          );
          const records = Context.get(adapters, CreationRecords);
          const replace: typeof records.replace = (...record) =>
            Effect.suspend(() => (isCut ? Effect.never : records.replace(...record)));
          return adapters.pipe(
            Context.add(MailboxChanges, { ...changes, create }),
            Context.add(CreationRecords, { ...records, replace }),
          );
        });
        const folders = Context.get(useCases, FolderManagement);
        const create = folders.create(DEMO, { name: "Bills", parentId: null }, KEY);
        const stuck = yield* Effect.forkChild(create);
        yield* Effect.yieldNow;
        yield* TestClock.adjust("9 minutes");
        expect((yield* Effect.flip(create))._tag).toBe("CreationInProgress");
        isCut = true;
        yield* TestClock.adjust("2 minutes");
        isCut = false;
        const made = yield* create;
        expect((yield* create).id).toBe(made.id);
        yield* Fiber.interrupt(stuck);
        expect((yield* create).id).toBe(made.id);
      }).pipe(Effect.scoped),
  );
});
