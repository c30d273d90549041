import { assert, layer } from "@effect/vitest";
import { UploadContents } from "@postern/core/send";
import { Deferred, Effect, Fiber, type Layer, Stream } from "effect";
import { errorOf } from "../error-of.ts";

const newId = () => `up_${(globalThis.crypto.randomUUID() as string).replaceAll("-", "")}`;

/** Bytes without repetition. */
const noise = (length: number): Uint8Array => {
  let state = 12_345;
  return Uint8Array.from({ length }, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24);
};

const inParts = (bytes: Uint8Array, part: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / part) }, (_, n) => bytes.subarray(n * part, (n + 1) * part));

/** The contract of `UploadContents` (spec 6). */
export const uploadContentsContract = (name: string, live: Layer.Layer<UploadContents, unknown>) =>
  layer(live)(name, (it) => {
    const readBack = Effect.fnUntraced(function* (id: string) {
      const contents = yield* UploadContents;
      return Buffer.concat(yield* Stream.runCollect(contents.read(id)));
    });

    for (const [length, part] of [
      [0, 1],
      [1, 1],
      [18, 7],
      [256 * 1024, 64 * 1024],
      [256 * 1024 + 1, 256 * 1024],
      [1_500_000, 1_000_003],
      [2_000_001, 16_384],
    ] as const) {
      it.effect(`returns ${length} bytes written in parts of ${part}, repeatedly`, () =>
        Effect.gen(function* () {
          const contents = yield* UploadContents;
          const id = newId();
          const bytes = noise(length);
          assert.strictEqual(yield* contents.write(id, Stream.fromIterable(inParts(bytes, part))), length);
          for (let time = 0; time < 2; time++) assert.isTrue((yield* readBack(id)).equals(bytes));
        }),
      );
    }

    it.effect("copies parts, which the caller may overwrite afterwards", () =>
      Effect.gen(function* () {
        const contents = yield* UploadContents;
        const id = newId();
        const part = new Uint8Array(100_000);
        const parts = Stream.mapEffect(Stream.fromIterable([1, 2, 3, 4]), (value) =>
          Effect.sync(() => part.fill(value)),
        );
        yield* contents.write(id, parts);
        const back = yield* readBack(id);
        assert.deepStrictEqual([...new Set(back)], [1, 2, 3, 4]);
      }),
    );

    it.effect("fails for a missing upload, without any bytes", () =>
      Effect.gen(function* () {
        const contents = yield* UploadContents;
        const id = newId();
        assert.strictEqual((yield* errorOf(readBack(id)))._tag, "StoreUnavailable");
        yield* contents.write(id, Stream.make(noise(10)));
        yield* contents.remove(id);
        assert.strictEqual((yield* errorOf(readBack(id)))._tag, "StoreUnavailable");
        yield* contents.remove(id);
      }),
    );

    it.effect("fails with the stream's error, and removes an incomplete file like a complete one", () =>
      Effect.gen(function* () {
        const contents = yield* UploadContents;
        const id = newId();
        const broken = Stream.concat(
          Stream.fromIterable(inParts(noise(600_000), 50_000)),
          Stream.fail("broken" as const),
        );
        assert.strictEqual(yield* errorOf(contents.write(id, broken)), "broken");
        yield* contents.remove(id);
        assert.strictEqual((yield* errorOf(readBack(id)))._tag, "StoreUnavailable");
      }),
    );

    it.effect("removes an interrupted upload", () =>
      Effect.gen(function* () {
        const contents = yield* UploadContents;
        const id = newId();
        const underWay = yield* Deferred.make<void>();
        const endless = Stream.concat(
          Stream.make(noise(300_000)),
          Stream.fromEffect(Effect.andThen(Deferred.succeed(underWay, undefined), Effect.never)),
        );
        const writing = yield* Effect.forkChild(contents.write(id, endless));
        yield* Deferred.await(underWay);
        yield* Fiber.interrupt(writing);
        yield* contents.remove(id);
        assert.strictEqual((yield* errorOf(readBack(id)))._tag, "StoreUnavailable");
      }),
    );

    it.effect("separates concurrent writes and reads", () =>
      Effect.gen(function* () {
        const contents = yield* UploadContents;
        const files = Array.from({ length: 12 }, (_, n) => ({ id: newId(), bytes: noise(300_000 + n) }));
        yield* Effect.forEach(
          files,
          ({ id, bytes }) => contents.write(id, Stream.fromIterable(inParts(bytes, 9_999))),
          {
            concurrency: "unbounded",
          },
        );
        const back = yield* Effect.forEach(files, ({ id }) => readBack(id), { concurrency: "unbounded" });
        files.forEach(({ bytes }, n) => assert.isTrue(back[n]!.equals(bytes)));
      }),
    );
  });
