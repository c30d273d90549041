import { assert, it } from "@effect/vitest";
import { Effect, Layer, Option } from "effect";
import { TestClock } from "effect/testing";
import { describe } from "vitest";
import { CredentialVault } from "../../src/auth/index.ts";
import { AccessTokens, MailCredentials } from "../../src/oauth/index.ts";
import { CredentialRefusals } from "../../src/oauth/CredentialRefusals.ts";
import { AccountId, StoreUnavailable } from "../../src/shared/index.ts";

const ME = AccountId("me@example.org");

/** Lets a session run for a minute whose store fails `failures` times; returns how often its token was kept fresh. */
const sessionsKeptFresh = Effect.fnUntraced(function* (failures: number) {
  let asked = 0;
  let kept = 0;
  const grant = Option.some({ _tag: "Grant", username: ME, version: 1, rejectedAt: null } as const);
  const credentials = MailCredentials.layer.pipe(
    Layer.provide([
      Layer.mock(CredentialVault, {
        find: () =>
          Effect.suspend(() =>
            asked++ < failures ? Effect.fail(new StoreUnavailable({ detail: "away" })) : Effect.succeed(grant),
          ),
      }),
      Layer.mock(AccessTokens, { keepFresh: () => Effect.suspend(() => ((kept += 1), Effect.never)) }),
      Layer.mock(CredentialRefusals, {}),
    ]),
  );
  yield* Effect.provide(
    Effect.gen(function* () {
      yield* Effect.forkScoped((yield* MailCredentials).keepFresh(ME));
      yield* TestClock.adjust("1 minute");
    }),
    credentials,
  );
  return kept;
}, Effect.scoped);

describe("the token of a session", () => {
  it.effect.each([0, 1, 10])("is kept fresh although the store was away %d times as the session began", (failures) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* sessionsKeptFresh(failures), 1);
    }),
  );
});
