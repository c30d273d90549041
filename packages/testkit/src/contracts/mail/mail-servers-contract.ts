import { assert, layer } from "@effect/vitest";
import { type AccountServers, MailServers } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { Effect, type Layer } from "effect";

/** What every MailServers does; `homeless` is an account that has no servers, where there can be one. */
export const mailServersContract = <E>(
  name: string,
  live: Layer.Layer<MailServers, E>,
  { servers, homeless }: { readonly servers: ReadonlyMap<AccountId, AccountServers>; readonly homeless?: AccountId },
): void =>
  layer(live)(name, (it) => {
    it.effect("tells each account's servers, the same whenever it is asked", () =>
      Effect.gen(function* () {
        const { of } = yield* MailServers;
        for (let round = 0; round < 2; round++) {
          for (const [account, known] of servers) assert.deepStrictEqual(yield* of(account), known);
        }
      }),
    );

    if (homeless === undefined) return;
    it.effect("fails for an account that has none", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip((yield* MailServers).of(homeless));
        assert.strictEqual(error._tag, "NoMailServers");
      }),
    );
  });
