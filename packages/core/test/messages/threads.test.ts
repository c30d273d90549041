import { it } from "@effect/vitest";
import { Effect, Fiber, Layer, Result } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { deriveThreadId } from "../../src/mail/index.ts";
import { MessageNotFound, Messages, Threads } from "../../src/messages/index.ts";
import { idOf, MailboxWorld, ME, stored, type StoredMessage } from "./mailbox-in-memory.ts";

/** The new text of each message is its subject. The message with UID 4 is gone, and the message with UID 3 has no text. */
const texts = Layer.mock(Messages, {
  read: (_, id) => {
    const uid: number = JSON.parse(id)[3];
    if (uid === 4) return Effect.fail(new MessageNotFound());
    const text = uid === 3 ? null : `new ${uid}\n\nOn Monday, A wrote:\n> old`;
    return Effect.succeed({ parsed: Result.succeed({ text }) } as never);
  },
});

const listOf = (mail: MailboxWorld) => {
  const layer = Threads.layer.pipe(Layer.provide([mail.layer, texts]));
  return (id: string) =>
    Effect.flatMap(Threads, (threads) => threads.list(ME, id)).pipe(
      Effect.map(({ emails }) => emails.map(({ path, message }) => `${path} ${message.uid}`)),
      Effect.provide(layer),
    );
};

/** A message `<name>` that refers to these Message-IDs, with its derived thread id. */
const letter = (uid: number, name: string, ...before: ReadonlyArray<string>): StoredMessage => {
  const references = before.map((one) => `<${one}>`).join(" ");
  return stored(uid, {
    messageId: `<${name}>`,
    threadId: deriveThreadId({ messageId: `<${name}>`, inReplyTo: "", references }),
    header: `Message-ID: <${name}>\r\n${references === "" ? "" : `References: ${references}\r\n`}\r\n`,
  });
};

describe("a conversation on a server with thread ids", () => {
  const world = () =>
    new MailboxWorld([
      { id: "Trash", role: "trash", messages: [stored(4, { threadId: "T1" })] },
      { id: "inbox", role: "inbox", messages: [stored(1, { threadId: "T1" }), stored(2, { threadId: "T2" })] },
      { id: "sent", role: "sent", messages: [stored(3, { threadId: "T1" })] },
      { id: "Empty", messages: [] },
    ]);

  it.effect("is found by its id, or that of one of its messages, oldest first", () =>
    Effect.gen(function* () {
      const mail = world();
      const list = listOf(mail);
      expect(yield* list("T1")).toEqual(["inbox 1", "sent 3", "Trash 4"]);
      expect(yield* list(idOf("sent", 3))).toEqual(["inbox 1", "sent 3", "Trash 4"]);
      expect(yield* list("T2")).toEqual(["inbox 2"]);
      // The folder of the requested message is searched first; empty folders are never searched.
      expect(mail.log.slice(3, 6)).toEqual(["search sent", "search inbox", "search Trash"]);
    }),
  );

  it.effect("is shown after 10 seconds as far as it was found, with the remaining folders [S5.4-8]", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.searchTime = "6 seconds";
      const layer = Threads.layer.pipe(Layer.provide([mail.layer, texts]));
      const list = Effect.provide(
        Effect.flatMap(Threads, (threads) => threads.list(ME, "T1")),
        layer,
      );
      const searching = yield* Effect.forkChild(list);
      yield* TestClock.adjust("10 seconds");
      const { emails, incomplete } = yield* Fiber.join(searching);
      expect(emails.map(({ path }) => path)).toEqual(["inbox"]);
      expect(incomplete?.folders.map(({ path }) => path)).toEqual(["sent", "Trash"]);
    }),
  );

  it.effect("is not said to be missing while folders are not searched [S5.4-13]", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.searchTime = "6 seconds";
      const layer = Threads.layer.pipe(Layer.provide([mail.layer, texts]));
      const list = Effect.flatMap(Threads, (threads) => threads.list(ME, "T9"));
      const searching = yield* Effect.forkChild(Effect.flip(Effect.provide(list, layer)));
      yield* TestClock.adjust("10 seconds");
      expect(yield* Fiber.join(searching)).toMatchObject({ _tag: "MailServerError", reason: "timeout" });
    }),
  );

  it.effect("has the new text of each message, if asked for [S5.4-7]", () =>
    Effect.gen(function* () {
      const layer = Threads.layer.pipe(Layer.provide([world().layer, texts]));
      const told = (include?: "text") =>
        Effect.map(
          Effect.flatMap(Threads, ({ list }) => list(ME, "T1", include)),
          ({ emails }) => emails.map(({ newText }) => newText),
        ).pipe(Effect.provide(layer));
      expect(yield* told("text")).toEqual(["new 1", null, null]);
      expect(yield* told()).toEqual([undefined, undefined, undefined]);
    }),
  );

  it.effect("is the message alone if it belongs to none, and does not exist without a message", () =>
    Effect.gen(function* () {
      const mail = world();
      mail.folder("inbox")!.messages = [stored(7, { threadId: null })];
      expect(yield* listOf(mail)(idOf("inbox", 7))).toEqual(["inbox 7"]);
      for (const id of ["T9", idOf("inbox", 9), "not a thread"]) {
        expect((yield* Effect.flip(listOf(mail)(id)))._tag).toBe("MessageNotFound");
      }
    }),
  );

  it.effect("shows 200 messages at most: the newest, by time of arrival and then by UID", () =>
    Effect.gen(function* () {
      const messages = Array.from({ length: 201 }, (_, n) =>
        stored(n + 1, { threadId: "T", arrivedAt: n < 2 ? 0 : 9 }),
      );
      const mail = new MailboxWorld([{ id: "A", messages }]);
      const shown = yield* listOf(mail)("T");
      expect([shown.length, shown[0], shown[1], shown[199]]).toEqual([200, "A 2", "A 3", "A 201"]);
    }),
  );
});

describe("a conversation by References", () => {
  it.effect(
    "is found by its first message, its last one and its derived id, even if answers omit the ids in the middle",
    () =>
      Effect.gen(function* () {
        const world = () =>
          new MailboxWorld([
            {
              id: "inbox",
              role: "inbox",
              messages: [letter(1, "a@x"), letter(3, "c@x", "a@x", "b@x"), letter(9, "z@x")],
            },
            { id: "sent", role: "sent", messages: [letter(2, "b@x", "a@x"), letter(4, "d@x", "c@x")] },
            { id: "Archive", messages: [letter(5, "e@x", "d@x"), letter(8, "y@x")] },
          ]);
        const all = ["inbox 1", "sent 2", "inbox 3", "sent 4", "Archive 5"];
        expect(yield* listOf(world())(idOf("inbox", 1))).toEqual(all);
        expect(yield* listOf(world())(idOf("inbox", 3))).toEqual(all);
        expect(yield* listOf(world())(idOf("Archive", 5))).toEqual(all);
        expect(yield* listOf(world())(deriveThreadId({ messageId: "<a@x>", inReplyTo: "", references: "" })!)).toEqual(
          all,
        );
        expect(yield* listOf(world())(idOf("Archive", 8))).toEqual(["Archive 8"]);
      }),
  );

  it.effect("finds answers in Sent to a message that is in a folder searched late", () =>
    Effect.gen(function* () {
      const mail = new MailboxWorld([
        { id: "inbox", role: "inbox", messages: [letter(1, "a@x")] },
        { id: "sent", role: "sent", messages: [letter(3, "c@x", "b@x")] },
        { id: "Archive", messages: [letter(2, "b@x", "a@x")] },
      ]);
      expect(yield* listOf(mail)(idOf("inbox", 1))).toEqual(["inbox 1", "Archive 2", "sent 3"]);
    }),
  );

  it.effect("searches the folder of the message, INBOX and Sent before the others, and each of the others once", () =>
    Effect.gen(function* () {
      const mail = new MailboxWorld([
        { id: "Archive", messages: [letter(5, "c@x", "a@x")] },
        { id: "inbox", role: "inbox", messages: [letter(1, "a@x")] },
        { id: "sent", role: "sent", messages: [letter(2, "b@x", "a@x")] },
        { id: "Bills", messages: [letter(7, "q@x")] },
      ]);
      yield* listOf(mail)(idOf("Archive", 5));
      const searched = mail.log.filter((one) => one.startsWith("search")).map((one) => one.split(" ")[1]);
      expect(searched.slice(0, 3)).toEqual(["Archive", "inbox", "sent"]);
      expect(searched.filter((one) => one === "Bills")).toHaveLength(1);
      // No folder is searched again for the same Message-IDs.
      expect(new Set(mail.log).size).toBe(mail.log.length);
    }),
  );

  it.effect("finds answers in every folder, even if the first message is in a folder that is searched late", () =>
    Effect.gen(function* () {
      const mail = new MailboxWorld([
        { id: "inbox", role: "inbox", messages: [letter(4, "d@x", "c@x")] },
        { id: "Archive", messages: [letter(2, "c@x", "b@x"), letter(1, "b@x", "a@x"), letter(3, "x@x", "b@x")] },
      ]);
      expect(yield* listOf(mail)(idOf("inbox", 4))).toEqual(["Archive 1", "Archive 2", "Archive 3", "inbox 4"]);
    }),
  );
});
