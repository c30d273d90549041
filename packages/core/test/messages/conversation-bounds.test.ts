import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Result, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { deriveThreadId } from "../../src/mail/index.ts";
import { MessageSearch, Messages, MessageUnparsable, SearchCharsetRefused, Threads } from "../../src/messages/index.ts";
import { idOf, MailboxWorld, ME, stored } from "./mailbox-in-memory.ts";

const letter = (uid: number, name: string, before = "") =>
  stored(uid, {
    messageId: `<${name}>`,
    threadId: deriveThreadId({ messageId: `<${name}>`, inReplyTo: "", references: before }),
    header: `Message-ID: <${name}>\r\nReferences: ${before}\r\n\r\n`,
  });

const list = (mail: MailboxWorld, id: string, read: Messages["Service"]["read"], include?: "text") =>
  Effect.flatMap(Threads, (threads) => threads.list(ME, id, include)).pipe(
    Effect.provide(Threads.layer.pipe(Layer.provide([mail.layer, Layer.mock(Messages, { read })]))),
  );
const unread = () => Effect.die("not asked for");

describe("a conversation", () => {
  it.effect("by References is shown as far as it was found, with the folders that were not searched [S5.4-8]", () =>
    Effect.gen(function* () {
      const mail = new MailboxWorld([
        { id: "inbox", role: "inbox", messages: [letter(1, "a@x")] },
        { id: "sent", role: "sent", messages: [letter(2, "b@x", "<a@x>")] },
        { id: "Archive", messages: [letter(3, "c@x", "<a@x>")] },
      ]);
      mail.searchTime = "6 seconds";
      const searching = yield* Effect.forkChild(list(mail, idOf("inbox", 1), unread));
      yield* TestClock.adjust("60 seconds");
      const { emails, incomplete } = yield* Fiber.join(searching);
      expect(emails.map(({ path }) => path)).toEqual(["inbox"]);
      expect(incomplete).toEqual({
        unsearched: 2,
        folders: [
          { id: "sent", path: "sent" },
          { id: "Archive", path: "Archive" },
        ],
      });
    }),
  );

  it.effect("has up to 65,536 characters of each text, and none of a message that cannot be parsed [S5.4-7]", () =>
    Effect.gen(function* () {
      const messages = [1, 2, 3, 4].map((uid) => stored(uid, { threadId: "T" }));
      const mail = new MailboxWorld([{ id: "A", messages }]);
      const texts = new Map([
        [1, "x".repeat(65_536)],
        [2, `${"x".repeat(65_536)}y`],
        [3, "short"],
      ]);
      const { emails } = yield* list(
        mail,
        "T",
        (_, id) => {
          const text = texts.get(JSON.parse(id)[3]);
          const parsed =
            text === undefined ? Result.fail(new MessageUnparsable({ reason: "malformed" })) : Result.succeed({ text });
          return Effect.succeed({ parsed } as never);
        },
        "text",
      );
      expect(emails.map(({ newText }) => newText)).toEqual([texts.get(1), texts.get(1), "short", null]);
    }),
  );

  it.effect("is the message alone where the server cannot search for its Message-IDs", () =>
    Effect.gen(function* () {
      const mail = new MailboxWorld([{ id: "A", messages: [letter(1, "ä@x")] }]);
      const refusing = Layer.mock(MessageSearch, {
        find: () => Stream.fail(new SearchCharsetRefused({ criteria: ["related"] })),
      });
      const ask = (id: string) =>
        Effect.flatMap(Threads, (threads) => threads.list(ME, id)).pipe(
          Effect.provide(
            Threads.layer.pipe(
              Layer.provide(refusing),
              Layer.provide([mail.layer, Layer.mock(Messages, { read: unread })]),
            ),
          ),
        );
      const { emails, incomplete } = yield* ask(idOf("A", 1));
      expect([emails.map(({ id }) => id), incomplete]).toEqual([[idOf("A", 1)], null]);
      expect((yield* Effect.flip(ask("T1")))._tag).toBe("MessageNotFound");
    }),
  );

  it.effect("has an id of up to 255 characters, and its texts only by that name", () =>
    Effect.gen(function* () {
      const threadId = "t".repeat(255);
      const mail = new MailboxWorld([{ id: "A", messages: [stored(1, { threadId })] }]);
      expect((yield* list(mail, threadId, unread)).emails).toHaveLength(1);
      expect((yield* Effect.flip(list(mail, `${threadId}t`, unread)))._tag).toBe("InputInvalid");
      expect((yield* Effect.flip(list(mail, threadId, unread, "html" as never)))._tag).toBe("InputInvalid");
    }),
  );
});
