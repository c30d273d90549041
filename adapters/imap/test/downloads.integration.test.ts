import { assert, it } from "@effect/vitest";
import { MessageNotFound, MessageReader } from "@postern/core/messages";
import { Effect, Stream } from "effect";
import { JANE, scripted } from "./scripted-account.ts";
import type { Answer } from "./scripted-server.ts";

const PIECE = 128 * 1024;
const SELECTED: Answer = ["2 EXISTS", "OK [UIDVALIDITY 7] valid", "OK [UIDNEXT 10] next", "OK"];
const PLACE = { uidValidity: 7, uid: 9 };

/** A server whose message 9 has a part of `size` bytes; `refusals` answer the first FETCHes. */
const serverOf = (size: number, refusals: Array<Answer> = []) =>
  scripted({
    answer: (command) => {
      if (command.startsWith("SELECT")) return SELECTED;
      if (!command.startsWith("UID FETCH 9 ")) return undefined;
      const refusal = refusals.shift();
      if (refusal !== undefined) return refusal;
      const [, section, start] = /\[(.*)\]<(\d+)\./.exec(command) ?? [];
      if (section === undefined) return ["2 FETCH (UID 9)", "OK"];
      const length = Math.min(PIECE, Math.max(0, size - Number(start)));
      return [`2 FETCH (UID 9 BODY[${section}]<${start}> "${"x".repeat(length)}")`, "OK"];
    },
  });

const download = (path: string, wanted: "raw" | "2") =>
  Effect.gen(function* () {
    const reader = yield* MessageReader;
    const bytes = yield* reader.bytes(
      JANE,
      { ...PLACE, path },
      wanted === "raw" ? wanted : { section: wanted, encoding: "binary" },
    );
    return yield* Stream.runFold(
      bytes,
      () => 0,
      (size, some) => size + some.length,
    );
  });

for (const [path, wanted] of [
  ["INBOX", "2"],
  ["INBOX", "raw"],
  ["Box", "2"],
] as const) {
  it.live(`a download from ${path} (${wanted}) takes one write for each piece`, () =>
    Effect.gen(function* () {
      const { server, ports } = yield* serverOf(2 * PIECE + 5);
      yield* Effect.gen(function* () {
        yield* download(path, wanted);
        const before = server.writes;
        assert.strictEqual(yield* download(path, wanted), 2 * PIECE + 5);
        assert.strictEqual(server.writes - before, 3);
      }).pipe(Effect.provide(ports));
    }),
  );
}

it.live("a piece that the server refuses once is requested again", () =>
  Effect.gen(function* () {
    const { ports } = yield* serverOf(5, [["NO [SERVERBUG] not now"]]);
    assert.strictEqual(yield* Effect.provide(download("INBOX", "2"), ports), 5);
  }),
);

it.live("a message that is removed during the download is not found", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => (command.startsWith("SELECT") ? SELECTED : undefined),
    });
    const failure = yield* Effect.flip(Effect.provide(download("INBOX", "2"), ports));
    assert.instanceOf(failure, MessageNotFound);
  }),
);
