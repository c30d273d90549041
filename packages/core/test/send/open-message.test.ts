import { it } from "@effect/vitest";
import { Effect, Layer, Option, Stream } from "effect";
import { describe, expect } from "vitest";
import { MessageComposer, OutgoingJournal, UploadContents } from "../../src/send/index.ts";
import { messageSources, openMessage } from "../../src/send/outgoing/open-message.ts";
import type { OutgoingContents } from "../../src/send/outgoing/OutgoingContents.ts";
import type { OutgoingMessage } from "../../src/send/outgoing/OutgoingMessage.ts";
import { outgoing } from "../outgoing.ts";

const BCC = [{ name: "", address: "b@y.test" }];
const contents = (fields: Partial<OutgoingContents> = {}) =>
  ({ size: 1, bcc: [], subject: "S", ...fields }) as unknown as OutgoingContents;

/** Opens a message whose composition has two parts: what is composed, and how often its contents are read. */
const opened = (message: Partial<OutgoingMessage> = {}, given?: OutgoingContents) => {
  const state = { composed: Array<string>(), reads: 0 };
  const layer = Layer.mergeAll(
    Layer.mock(OutgoingJournal, {
      changed: Effect.never,
      nextDue: Effect.succeedNone,
      contents: () => Effect.sync(() => (state.reads++, Option.some(contents()))),
    }),
    Layer.mock(MessageComposer, {
      compose: ({ messageId, date, showBcc, subject }) =>
        Stream.suspend(() => {
          state.composed.push(`${subject} ${messageId} ${date} ${showBcc ? "with" : "without"} Bcc`);
          return Stream.make(new Uint8Array([1, 2]), new Uint8Array([3]));
        }),
    }),
    Layer.mock(UploadContents, {}),
  );
  return Effect.map(Effect.provide(messageSources, layer), (sources) => ({
    state,
    written: openMessage(sources, { ...outgoing(), createdAt: 5, ...message }, given),
  }));
};
const bytesOf = (stream: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(stream), (parts) => [...parts].flatMap((part) => [...part]));
const PLAIN = "S <out_1@x.test> 5 without Bcc";

describe("an outgoing message", () => {
  it.effect("that is small is composed once, for the attempt and for the copy", () =>
    Effect.gen(function* () {
      const { state, written } = yield* opened();
      for (const stream of [written.bytes(contents()), written.copy(contents(), "<out_1@x.test>")]) {
        expect(yield* bytesOf(stream)).toEqual([1, 2, 3]);
      }
      expect(state.composed).toEqual([PLAIN]);
    }),
  );

  it.effect("above 256 KiB is composed each time", () =>
    Effect.gen(function* () {
      for (const [size, times] of [
        [256 * 1024, 1],
        [256 * 1024 + 1, 2],
      ] as const) {
        const { state, written } = yield* opened();
        for (let n = 0; n < 2; n++) expect(yield* bytesOf(written.bytes(contents({ size })))).toEqual([1, 2, 3]);
        expect(state.composed).toEqual(Array(times).fill(PLAIN));
      }
    }),
  );

  it.effect("shows Bcc and the Message-ID that the server gave only in its copy", () =>
    Effect.gen(function* () {
      const { state, written } = yield* opened();
      yield* bytesOf(written.bytes(contents({ bcc: BCC })));
      yield* bytesOf(written.copy(contents({ bcc: BCC }), "<out_1@x.test>"));
      yield* bytesOf(written.copy(contents(), "<other@x.test>"));
      expect(state.composed).toEqual([PLAIN, "S <out_1@x.test> 5 with Bcc", "S <other@x.test> 5 with Bcc"]);
    }),
  );

  it.effect("has the date for which it was scheduled", () =>
    Effect.gen(function* () {
      const { state, written } = yield* opened({ scheduledFor: 9 });
      yield* bytesOf(written.bytes(contents()));
      expect(state.composed).toEqual(["S <out_1@x.test> 9 without Bcc"]);
    }),
  );

  it.effect("has its contents read once, and not at all if they are known", () =>
    Effect.gen(function* () {
      const { state, written } = yield* opened();
      for (let n = 0; n < 2; n++) expect(yield* written.contents).toEqual(Option.some(contents()));
      expect(state.reads).toBe(1);
      const given = contents({ subject: "given" });
      const known = yield* opened({}, given);
      expect(yield* known.written.contents).toEqual(Option.some(given));
      expect(known.state.reads).toBe(0);
    }),
  );
});
