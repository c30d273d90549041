import { it } from "@effect/vitest";
import { AccountDataOfDomains } from "@postern/core";
import { EventSubscribers } from "@postern/core/events";
import { AccountId, AllAccountData } from "@postern/core/shared";
import { layer as nodeCrypto } from "@postern/node-crypto";
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

it.live("erasing an account erases it from every store with accounts [S3.7-7]", () =>
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
    const all = Context.get(
      yield* Layer.build(
        Layer.provide(
          Layer.provide(AccountDataOfDomains, [
            Layer.succeed(EventSubscribers, []),
            nodeCrypto({ idKey: new Uint8Array(32) }),
          ]),
          Layer.succeedContext(
            Context.makeUnsafe<typeof stores extends Context.Context<infer R> ? R : never>(observed),
          ),
        ),
      ),
      AllAccountData,
    );
    const account = AccountId("demo@postern.test");
    for (const { erase, eraseSlice } of all) {
      if (erase !== undefined) yield* erase(account);
      if (eraseSlice !== undefined) yield* eraseSlice(account, 1);
    }
    expect(erasable.length).toBeGreaterThan(10);
    expect([...asked].toSorted()).toEqual(erasable.toSorted());
  }).pipe(Effect.scoped),
);
