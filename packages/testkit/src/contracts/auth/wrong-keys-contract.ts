import { assert, layer } from "@effect/vitest";
import { judgeWrongKey, WrongKeys, type WrongKeyVerdict } from "@postern/core/auth";
import { Effect, type Layer } from "effect";

const NOW = 1_900_000_000_000;

const random = () => globalThis.crypto.randomUUID();

const COUNT: WrongKeyVerdict = { _tag: "Count" };
const THROTTLE: WrongKeyVerdict = { _tag: "Throttle", retryAfter: 5 };

/** The contract of `WrongKeys`. */
export const wrongKeysContract = (name: string, live: Layer.Layer<WrongKeys, unknown>) =>
  layer(live)(name, (it) => {
    const wrong = (network: string, at: number) => ({ id: random(), network, at });

    /** Returns the times of the earlier wrong keys, by which a wrong key is decided, without recording a key. */
    const timesOf = Effect.fnUntraced(function* (network: string, since = NOW - 1) {
      let times: ReadonlyArray<number> = [];
      yield* (yield* WrongKeys).judge(wrong(network, NOW + 100), since, (earlier) => {
        times = earlier.toSorted((a, b) => a - b);
        return THROTTLE;
      });
      return times;
    });

    it.effect("records a key that counts by the verdict, and returns the verdict", () =>
      Effect.gen(function* () {
        const wrongKeys = yield* WrongKeys;
        const network = random();
        assert.deepStrictEqual(yield* wrongKeys.judge(wrong(network, NOW), 0, () => COUNT), COUNT);
        assert.deepStrictEqual(yield* wrongKeys.judge(wrong(network, NOW + 1), 0, () => THROTTLE), THROTTLE);
        assert.deepStrictEqual(yield* timesOf(network), [NOW]);
      }),
    );

    it.effect("judges only by the wrong keys of the network since a time", () =>
      Effect.gen(function* () {
        const wrongKeys = yield* WrongKeys;
        const [network, other] = [random(), random()];
        for (const one of [wrong(network, NOW - 1), wrong(network, NOW), wrong(other, NOW), wrong(network, NOW + 2)]) {
          yield* wrongKeys.judge(one, 0, () => COUNT);
        }
        assert.deepStrictEqual(yield* timesOf(network), [NOW, NOW + 2]);
      }),
    );

    it.effect("judges concurrent wrong keys of a network one after the other", () =>
      Effect.gen(function* () {
        const wrongKeys = yield* WrongKeys;
        const network = random();
        const verdicts = yield* Effect.forEach(
          Array.from({ length: 30 }, () => wrong(network, NOW)),
          (one) => wrongKeys.judge(one, NOW - 1_000, (earlier) => judgeWrongKey(earlier, NOW)),
          { concurrency: "unbounded" },
        );
        assert.lengthOf(
          verdicts.filter(({ _tag }) => _tag === "Count"),
          10,
        );
      }),
    );

    it.effect("removes records that are too old to count", () =>
      Effect.gen(function* () {
        const wrongKeys = yield* WrongKeys;
        const network = random();
        for (const at of [1_999, 2_000]) yield* wrongKeys.judge(wrong(network, at), 0, () => COUNT);
        yield* wrongKeys.removeOld(2_000);
        assert.deepStrictEqual(yield* timesOf(network, 0), [2_000]);
      }),
    );
  });
