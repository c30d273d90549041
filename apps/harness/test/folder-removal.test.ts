import { assert, it } from "@effect/vitest";
import { UseCases } from "@postern/core";
import { CredentialVault } from "@postern/core/auth";
import { FolderManagement, FolderRemovals, FolderRemover } from "@postern/core/folders";
import { AccountId, Transaction } from "@postern/core/shared";
import { adaptersInMemory } from "@postern/harness";
import { Context, Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect";
import { TestClock } from "effect/testing";

const DEMO = AccountId("demo@postern.test");

it.effect("the worker removes a folder whose request ended before it claimed the removal", () =>
  Effect.gen(function* () {
    const adapters = yield* Layer.build(adaptersInMemory);
    const begun = yield* Deferred.make<void>();
    const removals = Context.get(adapters, FolderRemovals);
    const transaction = Context.get(adapters, Transaction);
    let isBegun = false;
    const begin: typeof removals.begin = (removal) =>
      Effect.tap(removals.begin(removal), () => Effect.sync(() => void (isBegun = true)));
    // The request does not come back from the transaction that began the removal.
    const run: typeof transaction.run = (effect) =>
      Effect.tap(transaction.run(effect), () =>
        Effect.suspend(() => {
          if (!isBegun) return Effect.void;
          isBegun = false;
          return Effect.andThen(Deferred.succeed(begun, undefined), Effect.never);
        }),
      );
    const ports = Context.add(Context.add(adapters, FolderRemovals, { ...removals, begin }), Transaction, { run });
    const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(ports)));
    const credential = { _tag: "Password", username: DEMO, password: Redacted.make("demo") } as const;
    yield* Context.get(adapters, CredentialVault).keep(DEMO, credential);
    yield* Effect.forkScoped(Context.get(useCases, FolderRemover).worker.run);
    const folders = Context.get(useCases, FolderManagement);
    const { id } = yield* folders.create(DEMO, { name: "Old", parentId: null });

    const request = yield* Effect.forkChild(folders.remove(DEMO, id, { permanent: false, recursive: false }));
    yield* Deferred.await(begun);
    yield* Fiber.interrupt(request);
    yield* TestClock.adjust("1 minute");
    assert.deepInclude(Option.getOrThrow(yield* removals.find(DEMO, id)), { phase: "finished" });
  }).pipe(Effect.scoped),
);
