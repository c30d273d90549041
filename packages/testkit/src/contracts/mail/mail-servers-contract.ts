import { assert, layer } from "@effect/vitest";
import { type AccountServers, MailServers } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { Effect, type Layer } from "effect";
import { errorOf } from "../error-of.ts";

/** The contract of `MailServers`; `homeless` is an account without servers, if such an account can exist. */
export const mailServersContract = <E>(
  name: string,
  live: Layer.Layer<MailServers, E>,
  { servers, homeless }: { readonly servers: ReadonlyMap<AccountId, AccountServers>; readonly homeless?: AccountId },
): void =>
  layer(live)(name, (it) => {
    it.effect("returns each account's servers, always the same", () =>
      Effect.gen(function* () {
        const { of } = yield* MailServers;
        for (let round = 0; round < 2; round++) {
          for (const [account, known] of servers) assert.deepStrictEqual(yield* of(account), known);
        }
      }),
    );

    if (homeless === undefined) return;
    it.effect("fails for an account without servers", () =>
      Effect.gen(function* () {
        const error = yield* errorOf((yield* MailServers).of(homeless));
        assert.strictEqual(error._tag, "NoMailServers");
      }),
    );
  });
