import { it } from "@effect/vitest";
import { UseCases } from "@postern/core";
import { AccountRemoval } from "@postern/core/lifecycle";
import { AccountId } from "@postern/core/shared";
import { adaptersInMemory } from "@postern/harness";
import { Context, Effect, Layer } from "effect";
import { expect } from "vitest";
import { sqliteStores } from "./sql-stores.ts";

/** Returns the store; calls of its `erase` are recorded under its name. */
const watched = (name: string, store: object, asked: Set<string>): object =>
  new Proxy(store, {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member);
      if (member !== "erase" || typeof value !== "function") return value;
      return (...given: ReadonlyArray<unknown>) => {
        asked.add(name);
        return Reflect.apply(value, target, given) as unknown;
      };
    },
  });

it.live("removing an account erases it from every store with accounts [S3.7-7]", () =>
  Effect.gen(function* () {
    const stores = yield* Layer.build(Layer.orDie(sqliteStores));
    const asked = new Set<string>();
    const erasable: Array<string> = [];
    const observed = new Map<string, unknown>();
    for (const [name, store] of stores.mapUnsafe) {
      const keepsAccounts = typeof store === "object" && store !== null && "erase" in store;
      if (keepsAccounts) erasable.push(name);
      observed.set(name, keepsAccounts ? watched(name, store as object, asked) : store);
    }
    const ports = Context.merge(
      yield* Layer.build(adaptersInMemory),
      Context.makeUnsafe<typeof stores extends Context.Context<infer R> ? R : never>(observed),
    );
    const useCases = yield* Layer.build(Layer.provide(UseCases, Layer.succeedContext(ports)));
    yield* Context.get(useCases, AccountRemoval).remove(AccountId("demo@postern.test"));
    expect(erasable.length).toBeGreaterThan(10);
    expect([...asked].toSorted()).toEqual(erasable.toSorted());
  }).pipe(Effect.scoped),
);
