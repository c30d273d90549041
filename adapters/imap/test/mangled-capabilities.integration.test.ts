import { assert, it } from "@effect/vitest";
import { Effect } from "effect";
import { list, scripted, signIn } from "./scripted-account.ts";

/** First answers to CAPABILITY as a proxy mangled them. Before and after them, the server announces its real capabilities. */
const MANGLED: ReadonlyArray<readonly [what: string, greeting: string, first: ReadonlyArray<string>]> = [
  ["cut", "OK ready", ["CAPABILITY IMAP4rev1 UIDPL", "OK"]],
  ["cut in the greeting", "OK [CAPABILITY IMAP4rev1 LOGI", ["CAPABILITY IMAP4rev1 MOVE", "OK"]],
  ["without IMAP4rev1", "OK ready", ["CAPABILITY UIDPLUS", "OK"]],
  ["without any", "OK ready", ["CAPABILITY", "OK"]],
  ["missing", "OK ready", ["OK"]],
  ["refused", "OK ready", ["BAD later"]],
  ["lower case", "OK [capability imap4rev1] ready", ["capability imap4rev1 move uidplus", "OK"]],
  ["with duplicates", "OK [CAPABILITY IMAP4rev1 IMAP4rev1] ready", ["CAPABILITY IMAP4rev1 MOVE MOVE IMAP4rev1", "OK"]],
  ["garbage", "OK ready", ['CAPABILITY \u0001\u00ff((( ) "', "OK"]],
  ["twice in one answer", "OK ready", ["CAPABILITY IMAP4rev1", "CAPABILITY (MOVE", "OK"]],
];
for (const [what, greeting, mangled] of MANGLED) {
  it.live(
    `signs in and lists if the first CAPABILITY is ${what} (iCloud), and then uses the server's real capabilities`,
    () =>
      Effect.gen(function* () {
        let isSignedIn = false;
        const { server, ports } = yield* scripted({
          greeting,
          capabilities: "IMAP4rev1 MOVE UIDPLUS NAMESPACE",
          answer: (command) => {
            isSignedIn ||= command.startsWith("LOGIN");
            return command === "CAPABILITY" && !isSignedIn ? mangled : undefined;
          },
        });
        assert.deepInclude(yield* Effect.provide(signIn, ports), { uidNext: 1 });
        isSignedIn = false;
        assert.deepStrictEqual(
          (yield* Effect.provide(list, ports)).map(({ path }) => path),
          ["INBOX"],
        );
        assert.include(server.commands, "NAMESPACE");
      }),
  );

  it.live(`signs in and lists if each CAPABILITY is ${what}`, () =>
    Effect.gen(function* () {
      const { ports } = yield* scripted({
        greeting,
        answer: (command) => (command === "CAPABILITY" ? mangled : undefined),
      });
      assert.deepInclude(yield* Effect.provide(signIn, ports), { uidNext: 1 });
      assert.lengthOf(yield* Effect.provide(list, ports), 1);
    }),
  );
}

it.live("signs in if the answer to LOGIN has truncated capabilities", () =>
  Effect.gen(function* () {
    const { ports } = yield* scripted({
      answer: (command) => (command.startsWith("LOGIN") ? ["OK [CAPABILITY IMAP4rev1 UIDPL"] : undefined),
    });
    assert.deepInclude(yield* Effect.provide(signIn, ports), { uidNext: 1 });
    assert.lengthOf(yield* Effect.provide(list, ports), 1);
  }),
);
