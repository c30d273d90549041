import { it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { expect } from "vitest";
import { type Account, AccountDirectory, AccountSettings } from "../../src/accounts/index.ts";
import { IdScopesOfAccounts } from "../../src/accounts/IdScopesOfAccounts.ts";
import { AccountId } from "../../src/shared/index.ts";
import { IdScopes } from "../../src/shared/neighbours.ts";

const ME = AccountId("me@x.test");
const settings = { mode: "any" as const, servers: null, domains: [], signInDomains: [] };

const scopeOf = (account: Partial<Account> | null, over: Partial<typeof AccountSettings.Service> = {}) =>
  Effect.flatMap(IdScopes, ({ of }) => of(ME)).pipe(
    Effect.provide(
      Layer.provide(IdScopesOfAccounts, [
        Layer.mock(AccountDirectory, { find: () => Effect.succeed(Option.fromNullishOr(account as Account | null)) }),
        Layer.succeed(AccountSettings, { ...settings, ...over }),
      ]),
    ),
  );

it.effect("the ids of an account with servers of its own belong to a generation [S5.2-14]", () =>
  Effect.gen(function* () {
    const first = yield* scopeOf({ generation: "one" });
    expect(first).not.toBe(ME);
    expect(yield* scopeOf({ generation: "two" })).not.toBe(first);
    expect(yield* scopeOf({ generation: "one" })).toBe(first);
  }),
);

it.effect("an account of an earlier release, or on the deployment's servers, has no generation", () =>
  Effect.gen(function* () {
    expect([yield* scopeOf({}), yield* scopeOf(null)]).toEqual([ME, ME]);
    expect(yield* scopeOf({ generation: "one" }, { mode: "fixed" })).toBe(ME);
    const servers = { imap: {}, smtp: {} } as NonNullable<Account["servers"]>;
    expect(yield* scopeOf({ generation: "one" }, { servers, domains: ["x.test"] })).toBe(ME);
  }),
);
