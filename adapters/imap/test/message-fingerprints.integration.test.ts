import { assert, it } from "@effect/vitest";
import { MessageFingerprints } from "@postern/core/watch";
import { Effect } from "effect";
import { JANE, scripted } from "./scripted-account.ts";

const ROW =
  '3 FETCH (UID 9 FLAGS () INTERNALDATE " 1-Jan-2026 00:00:00 +0000" RFC822.SIZE 9 BODY[HEADER.FIELDS (MESSAGE-ID)] "")';

/** Reads a message of an open INBOX while another session removes messages; returns the UID and the commands. */
const readWhile = Effect.fnUntraced(function* (removals: ReadonlyArray<string>, isThere: boolean) {
  let [reads, noops] = [0, 0];
  const { server, ports } = yield* scripted({
    answer: (command) => {
      if (command.startsWith("SELECT")) return ["3 EXISTS", "OK [UIDVALIDITY 7] valid", "OK [UIDNEXT 10] next", "OK"];
      if (command.startsWith("UID FETCH")) return reads++ < 2 || isThere ? [ROW, "OK"] : ["OK"];
      return command === "NOOP" && reads === 2 && noops++ === 0 ? [...removals, "OK"] : undefined;
    },
  });
  return yield* Effect.gen(function* () {
    const fingerprints = yield* MessageFingerprints;
    yield* fingerprints.of(JANE, "INBOX", [9]);
    const before = server.commands.length;
    const { messages } = yield* fingerprints.of(JANE, "INBOX", [9]);
    const commands = server.commands.slice(before).map((command) => command.replace(/ FETCH.*/, ""));
    return { uids: messages.map(({ uid }) => uid), commands };
  }).pipe(Effect.provide(ports));
});

it.live.each([["1 EXPUNGE", "1 EXPUNGE"], ["VANISHED 4,6:8"], ["2 EXPUNGE", "3 EXISTS"]])(
  "a fingerprint is read in one write, although others were removed: %s",
  (removals) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* readWhile(removals, true), { uids: [9], commands: ["UID", "NOOP"] });
    }),
);

it.live.each([["3 EXPUNGE"], ["1 EXPUNGE", "2 EXPUNGE"], ["VANISHED 4,8:10"]])(
  "a message that is returned and reported as removed is none: %s",
  (removals) =>
    Effect.gen(function* () {
      const { uids, commands } = yield* readWhile(removals, false);
      assert.deepStrictEqual([uids, commands.slice(0, 2)], [[], ["UID", "NOOP"]]);
      assert.isAbove(commands.length, 2);
    }),
);
