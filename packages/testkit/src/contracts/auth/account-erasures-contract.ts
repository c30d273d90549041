import { assert, layer } from "@effect/vitest";
import { AccountErasures } from "@postern/core/auth";
import { Effect, type Layer } from "effect";
import { freshAccount } from "../../fixtures/fresh-account.ts";

/** The contract of `AccountErasures`. */
export const accountErasuresContract = (name: string, live: Layer.Layer<AccountErasures, unknown>) =>
  layer(live)(name, (it) => {
    it.effect("lists each account being erased once, until its erasure ends", () =>
      Effect.gen(function* () {
        const erasures = yield* AccountErasures;
        const [one, other] = [yield* freshAccount, yield* freshAccount];
        yield* erasures.begin(one);
        yield* erasures.begin(one);
        assert.isTrue(yield* erasures.isUnderWay(one));
        assert.isFalse(yield* erasures.isUnderWay(other));
        yield* erasures.begin(other);
        assert.includeMembers([...(yield* erasures.list)], [one, other]);
        yield* erasures.end(one);
        yield* erasures.end(one);
        assert.isFalse(yield* erasures.isUnderWay(one));
        assert.notInclude(yield* erasures.list, one);
        assert.include(yield* erasures.list, other);
        yield* erasures.end(other);
      }),
    );
  });
