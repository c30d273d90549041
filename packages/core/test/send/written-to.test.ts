import { it } from "@effect/vitest";
import { Effect, Layer, Option, Stream } from "effect";
import { TestClock } from "effect/testing";
import { describe, expect } from "vitest";
import { type Folder, Folders } from "../../src/folders/index.ts";
import { MessageNotFound, MessageReader, MessageSearch, SearchCharsetRefused } from "../../src/messages/index.ts";
import { sentMail, writtenBefore, writtenInThread } from "../../src/send/agents/written-to.ts";
import type { OutgoingContents } from "../../src/send/index.ts";
import { OutgoingJournal } from "../../src/send/ports/OutgoingJournal.ts";
import { ME } from "../messages/mailbox-in-memory.ts";
import { summaryWith } from "../messages/summary.ts";
import { outgoing } from "../outgoing.ts";

const NOW = 1_900_000_000_000;
const DAY = 86_400_000;

const address = (text: string) => ({ name: "", address: text });

/** A message of the folder Sent. */
interface Sent {
  readonly to?: ReadonlyArray<string>;
  readonly cc?: ReadonlyArray<string>;
  readonly header?: string;
}

/** A message of the journal; `contents` is null after its copy is in Sent. */
interface Journaled {
  readonly messageId: string;
  readonly contents: Partial<OutgoingContents> | null;
}

/** Sent mail by UID, from 1 on; undefined for a message that is gone. */
const mailOf = (sent: ReadonlyArray<Sent | undefined>, journaled: ReadonlyArray<Journaled> = [], isAscii = false) => {
  const log: Array<unknown> = [];
  const folder = (path: string, role: Folder["role"]) => ({ path, role }) as Folder;
  const ports = Layer.mergeAll(
    Layer.mock(Folders, {
      list: () => Effect.succeed([folder("in", "inbox"), folder("out", "sent"), folder("my", null)]),
    }),
    Layer.mock(MessageSearch, {
      find: (_, paths, criteria) => {
        log.push([paths, criteria]);
        if (isAscii) return Stream.fail(new SearchCharsetRefused({ criteria: ["to"] }));
        const uids = sent.map((__, n) => n + 1);
        return Stream.make(["out", { uidValidity: 7, uids, unread: [] }] as const, ["gone", null] as const);
      },
    }),
    Layer.mock(MessageReader, {
      open: (_, { path, uidValidity, uid }) =>
        Effect.suspend(() => {
          log.push(`read ${path} ${uidValidity} ${uid}`);
          const found = sent[uid - 1];
          if (found === undefined) return Effect.fail(new MessageNotFound());
          const { to = [], cc = [], header = "Subject: s\r\n" } = found;
          return Effect.succeed({
            summary: summaryWith({ uid, to: to.map(address), cc: cc.map(address) }),
            structure: null,
            header: Uint8Array.from(header, (character) => character.charCodeAt(0)),
            readBeginnings: () => Effect.die("not asked for"),
          });
        }),
    }),
    Layer.mock(OutgoingJournal, {
      findSentTo: (_, addresses, since) =>
        Effect.sync(() => {
          log.push(["journal", addresses, since]);
          return journaled.map(({ messageId }, n) => ({ ...outgoing(), id: String(n), messageId }));
        }),
      contents: (id) =>
        Effect.succeed(
          Option.map(Option.fromNullOr(journaled[Number(id)]!.contents), (contents) => ({
            headers: [],
            inReplyTo: null,
            references: [],
            to: [],
            cc: [],
            ...contents,
          })) as Option.Option<OutgoingContents>,
        ),
    }),
  );
  const inThread = (addresses: ReadonlyArray<string>, ids: ReadonlyArray<string>) =>
    Effect.andThen(
      TestClock.setTime(NOW),
      Effect.flatMap(sentMail, (mail) => writtenInThread(mail, ME, addresses, ids)),
    ).pipe(Effect.provide(ports));
  const before = (...addresses: ReadonlyArray<string>) =>
    Effect.flatMap(sentMail, (mail) => writtenBefore(mail, ME, addresses)).pipe(Effect.provide(ports));
  return { log, inThread, before };
};

describe("the people whom the owner wrote to in a conversation", () => {
  it.effect("are the recipients in To and Cc of its messages in Sent, in any case of the domain [S13.1-4]", () =>
    Effect.gen(function* () {
      const { inThread, log } = mailOf([{ to: ["a@Y.test", "b@y.test"], cc: ["c@y.test"] }, { to: ["d@y.test"] }]);
      const written = yield* inThread(["a@y.test"], ["<1@x>"]);
      expect([...written]).toEqual(["a@y.test", "b@y.test", "c@y.test", "d@y.test"]);
      expect(log).toEqual([
        ["journal", ["a@y.test"], NOW - 30 * DAY],
        [["out"], { related: ["<1@x>"] }],
        "read out 7 1",
        "read out 7 2",
      ]);
    }),
  );

  it.effect("are not those to whom an agent wrote without an approval [S13.1-4]", () =>
    Effect.gen(function* () {
      const marked = (header: string) => ({ to: ["a@y.test"], header });
      const { inThread } = mailOf([
        marked("Subject: s\r\nX-Postern-Agent: unapproved\r\n"),
        marked("x-postern-agent : unapproved\r\n"),
        { to: ["b@y.test"], header: "X-Postern-Agents: 1\r\nSubject: X-Postern-Agent: unapproved\r\n" },
      ]);
      expect([...(yield* inThread(["a@y.test"], ["<1@x>"]))]).toEqual(["b@y.test"]);
    }),
  );

  it.effect("are none for a message that is gone, or where the server cannot search", () =>
    Effect.gen(function* () {
      expect([...(yield* mailOf([undefined, { to: ["b@y.test"] }]).inThread(["b@y.test"], ["<1@x>"]))]).toEqual([
        "b@y.test",
      ]);
      const refusing = mailOf([{ to: ["b@y.test"] }], [], true);
      expect([...(yield* refusing.inThread(["b@y.test"], ["<1@x>"]))]).toEqual([]);
    }),
  );

  it.effect("are read from the newest 20 messages", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 21 }, (_, n) => ({ to: [`${n + 1}@y.test`] }));
      const written = yield* mailOf(many).inThread(["a@y.test"], ["<1@x>"]);
      expect([...written]).toEqual(many.slice(1).map(({ to }) => to[0]));
    }),
  );

  it.effect("are the recipients of sent messages in the journal that belong to it by any of their ids [S13.1-4]", () =>
    Effect.gen(function* () {
      const to = (text: string, more: Partial<OutgoingContents> = {}) => ({ to: [address(text)], ...more });
      const { inThread } = mailOf(
        [],
        [
          { messageId: "<1@x>", contents: to("own@Y.test", { cc: [address("cc@y.test")] }) },
          { messageId: "<a@x>", contents: to("answered@y.test", { inReplyTo: "<1@x>" }) },
          { messageId: "<b@x>", contents: to("named@y.test", { references: ["<0@x>", "<2@x>"] }) },
          { messageId: "<c@x>", contents: to("other@y.test", { inReplyTo: "<9@x>", references: ["<8@x>"] }) },
          { messageId: "<2@x>", contents: to("agent@y.test", { headers: [["X-Postern-Agent", "unapproved"]] }) },
          { messageId: "<1@x>", contents: to("headed@y.test", { headers: [["X-Own", "1"]] }) },
          { messageId: "<1@x>", contents: null },
        ],
      );
      const written = yield* inThread(["own@y.test"], ["<1@x>", "<2@x>"]);
      expect([...written]).toEqual(["own@y.test", "cc@y.test", "answered@y.test", "named@y.test", "headed@y.test"]);
    }),
  );

  it.effect("are none, without a search, if no address or no message is asked for", () =>
    Effect.gen(function* () {
      const { inThread, log } = mailOf([{ to: ["a@y.test"] }]);
      expect([...(yield* inThread([], ["<1@x>"]))]).toEqual([]);
      expect([...(yield* inThread(["a@y.test"], []))]).toEqual([]);
      expect(log).toEqual([]);
    }),
  );
});

describe("the recipients to whom the owner wrote before", () => {
  it.effect("are those to whom a message in Sent went", () =>
    Effect.gen(function* () {
      const { before, log } = mailOf([{ to: ["b@y.test"], cc: ["d@y.test"] }]);
      expect([...(yield* before("a@y.test", "b@Y.test", "c@y.test", "d@y.test"))]).toEqual(["b@y.test", "d@y.test"]);
      expect(log.filter((one) => typeof one !== "string")).toEqual(
        ["a@y.test", "b@Y.test", "c@y.test", "d@y.test"].map((to) => [["out"], { to }]),
      );
    }),
  );

  it.effect("are looked for among the first 20 recipients", () =>
    Effect.gen(function* () {
      const many = Array.from({ length: 21 }, (_, n) => `${n + 1}@y.test`);
      expect([...(yield* mailOf([{ to: many }]).before(...many))]).toEqual(many.slice(0, 20));
    }),
  );
});
