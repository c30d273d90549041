import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { scripted, signIn } from "./scripted-account.ts";

it.live.each([
  ["NO [AUTHENTICATIONFAILED] wrong", undefined],
  ["NO Login failed.", true],
] as const)(
  "a sign-in that is answered with %s is refused, and unclear if no reason is given [S10.3-7]",
  ([answer, isUnclear]) =>
    Effect.gen(function* () {
      const { ports } = yield* scripted({
        capabilities: "IMAP4rev1 SASL-IR AUTH=PLAIN",
        answer: (command) => (/^(AUTHENTICATE|LOGIN)/.test(command) ? [answer] : undefined),
      });
      const refused = yield* Effect.flip(Effect.provide(signIn, ports));
      assert.deepStrictEqual(
        [refused._tag, "isUnclear" in refused ? refused.isUnclear : undefined],
        ["LoginRefused", isUnclear],
      );
    }).pipe(Effect.scoped),
);
