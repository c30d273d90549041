import { assert, describe, it } from "@effect/vitest";
import { Effect } from "effect";
import { ProtocolRecorder } from "../../src/accounts/protocol-log/ProtocolRecorder.ts";
import { searchWithoutWords } from "../../src/accounts/protocol-log/search-line.ts";
import { AccountId } from "../../src/shared/index.ts";

describe("a search in the protocol log", () => {
  it.each([
    ["UNSEEN SINCE 1-Nov-2026 UID 1:5,7:*", "UNSEEN SINCE 1-Nov-2026 UID 1:5,7:*"],
    ["(or Subject plan) $", "(or Subject <4 removed>) $"],
    ['FROM "ann \\" b" BODY {12+}', "FROM <8 removed> BODY {12+}"],
    ['"UNSEEN" TEXT ""', '"UNSEEN" TEXT <0 removed>'],
    ['SUBJECT "my plan', "SUBJECT <8 removed>"],
    ["SINCE 111-Nov-2026 {1}x", "SINCE <12 removed> <4 removed>"],
    ["", ""],
  ])("shows %s as %s", (args, shown) => {
    assert.strictEqual(searchWithoutWords(args), shown);
  });
});

it.effect("a process without a recorder records nothing", () =>
  Effect.gen(function* () {
    const recorder = yield* ProtocolRecorder;
    const me = AccountId("me@x.test");
    yield* recorder.follow([{ account: me, until: Infinity }]);
    assert.isFalse(recorder.isRecorded(me));
    assert.isUndefined(recorder.open(me, "imap", { host: "h", port: 1, tls: "implicit", origin: "account" }, []));
    assert.deepStrictEqual([yield* recorder.waiting, yield* recorder.take(me)], [[], { lines: [], count: 0 }]);
  }),
);
