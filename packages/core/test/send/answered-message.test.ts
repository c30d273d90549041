import { it } from "@effect/vitest";
import { Effect, Layer, Stream } from "effect";
import { describe, expect } from "vitest";
import type { BodyPart } from "../../src/mail/index.ts";
import { MessageChanges, MessageLocator, MessageNotFound, MessageReader } from "../../src/messages/index.ts";
import { MAX_ATTACHMENT_BYTES } from "../../src/rules.ts";
import { Uploads, UploadTooLarge } from "../../src/send/index.ts";
import type { SendRequest } from "../../src/send/neighbours.ts";
import { markAnswered, originalMessages, readAnswered } from "../../src/send/replies/answered-message.ts";
import { AccountId } from "../../src/shared/index.ts";
import { summaryWith } from "../messages/summary.ts";

const ME = AccountId("me@x.test");

const leaf = (fields: Partial<BodyPart>): BodyPart => ({
  section: "1",
  type: "text/plain",
  parameters: {},
  encoding: "7bit",
  size: 10,
  name: null,
  disposition: null,
  contentId: null,
  parts: [],
  ...fields,
});
const TEXT = leaf({ section: "1" });
const PICTURE = leaf({ section: "2", type: "image/png", contentId: "logo", name: "logo.png", disposition: "inline" });
const REPORT = leaf({
  section: "3",
  type: "application/pdf",
  name: "r.pdf",
  disposition: "attachment",
  contentId: "r",
});
const LETTER = leaf({ section: "4", type: "message/rfc822" });
const STRANGE = leaf({ section: "5", type: "image", contentId: null, disposition: "inline" });

/** One message at UID 9 with this header and these parts. Records uploads and flag changes. */
const mailbox = (header: string, parts: ReadonlyArray<BodyPart> | null, present = [9]) => {
  const flagged: Array<unknown> = [];
  const place = { path: "INBOX", uidValidity: 1, uid: 9 };
  const found = {
    id: "m_1",
    folder: { id: "inbox", path: "INBOX" },
    ref: { folderId: "inbox", uidValidity: 1, uid: 9 },
    place,
  };
  const structure = parts === null ? null : leaf({ section: "", type: "multipart/mixed", parts });
  const layer = Layer.mergeAll(
    Layer.mock(MessageLocator, {
      withMessage: (_, id, use) => (id === "m_gone" ? Effect.fail(new MessageNotFound()) : use(found)),
    }),
    Layer.mock(MessageReader, {
      open: () =>
        Effect.succeed({
          summary: summaryWith(),
          structure,
          header: Uint8Array.from(header, (character) => character.charCodeAt(0)),
          readBeginnings: () => Effect.die("not asked for"),
        }),
      bytes: () => Effect.succeed(Stream.empty),
    }),
    Layer.mock(Uploads, {
      receive: (account, { name, type }) =>
        name === "huge"
          ? (Effect.fail(new UploadTooLarge({ maxBytes: 1 })) as never)
          : Effect.succeed({ id: `up_${name}`, account, name, type, size: 7, createdAt: 0 }),
    }),
    Layer.mock(MessageChanges, {
      setFlags: (_, __, uids, change) =>
        Effect.sync(() => {
          flagged.push([uids, change]);
          return new Set(present);
        }),
    }),
  );
  const read = (request: SendRequest) =>
    Effect.flatMap(originalMessages, (originals) => readAnswered(originals, ME, request)).pipe(Effect.provide(layer));
  const mark = (request: SendRequest) =>
    Effect.gen(function* () {
      yield* markAnswered(yield* MessageLocator, yield* MessageChanges, ME, request);
    }).pipe(Effect.provide(layer));
  return { read, mark, flagged };
};

describe("the message that is answered", () => {
  const HEADER = "Message-ID: <b@x>\r\nReferences: <a@x>\r\n\r\n";
  const none = { isAutomatic: false, inReplyTo: null, references: [], attachments: [] };

  it.effect("gives an answer its fields, and no files", () =>
    Effect.gen(function* () {
      const fields = { inReplyTo: "<b@x>", references: ["<a@x>", "<b@x>"] };
      expect(yield* mailbox(HEADER, [REPORT]).read({ replyToMessageId: "m_1" })).toEqual({ ...none, ...fields });
      const automatic = mailbox(`Auto-Submitted: auto-replied\r\n${HEADER}`, []);
      expect((yield* automatic.read({ replyToMessageId: "m_1" })).isAutomatic).toBe(true);
      expect(yield* mailbox(HEADER, [REPORT]).read({})).toEqual(none);
    }),
  );

  it.effect("gives a forward its files: no text that is shown, and a picture only if the new HTML shows it", () =>
    Effect.gen(function* () {
      const { read } = mailbox(HEADER, [TEXT, PICTURE, REPORT, LETTER, STRANGE]);
      const names = (request: SendRequest) =>
        Effect.map(read({ forwardOf: "m_1", ...request }), ({ attachments }) =>
          attachments.map(({ name, type, contentId }) => `${name} ${type} ${contentId}`),
        );
      const files = [
        "r.pdf application/pdf r",
        "message.eml message/rfc822 null",
        "attachment application/octet-stream null",
      ];
      expect(yield* names({})).toEqual(files);
      expect(yield* names({ html: '<img src="cid:other">' })).toEqual(files);
      expect(yield* names({ html: '<img src="cid:logo">' })).toEqual(["logo.png image/png logo", ...files]);
      expect(yield* read({ forwardOf: "m_1" })).toMatchObject({ inReplyTo: null, references: [] });
      expect(yield* mailbox(HEADER, null).read({ forwardOf: "m_1" })).toEqual(none);
    }),
  );

  it.effect("gives 20 files together with those of the request, none of more than 25 MiB", () =>
    Effect.gen(function* () {
      const files = (count: number, fields: Partial<BodyPart> = {}) =>
        mailbox(
          HEADER,
          Array.from({ length: count }, () => ({ ...REPORT, ...fields })),
        ).read;
      const own = { attachments: Array.from({ length: 5 }, () => ({ id: "f" })) };
      expect((yield* files(20)({ forwardOf: "m_1" })).attachments).toHaveLength(20);
      expect((yield* files(15)({ forwardOf: "m_1", ...own })).attachments).toHaveLength(15);
      // The size of a part is estimated, two bytes too high at most.
      expect((yield* files(1, { size: MAX_ATTACHMENT_BYTES + 2 })({ forwardOf: "m_1" })).attachments).toHaveLength(1);
      for (const refused of [
        files(21)({ forwardOf: "m_1" }),
        files(16)({ forwardOf: "m_1", ...own }),
        files(1, { size: MAX_ATTACHMENT_BYTES + 3 })({ forwardOf: "m_1" }),
        files(1, { name: "huge" })({ forwardOf: "m_1" }),
      ])
        expect((yield* Effect.flip(refused))._tag).toBe("MessageTooLarge");
    }),
  );

  it.effect("is a single one, of this account", () =>
    Effect.gen(function* () {
      const { read } = mailbox(HEADER, []);
      const faultOf = (request: SendRequest) =>
        Effect.map(Effect.flip(read(request)), (error) =>
          error._tag === "InputInvalid" ? error.errors[0]!.field : error._tag,
        );
      expect(yield* faultOf({ replyToMessageId: "m_1", forwardOf: "m_1" })).toBe("forwardOf");
      expect(yield* faultOf({ replyToMessageId: "m_gone" })).toBe("replyToMessageId");
      expect(yield* faultOf({ forwardOf: "m_gone" })).toBe("forwardOf");
    }),
  );

  it.effect("is marked as answered; a forwarded one is not", () =>
    Effect.gen(function* () {
      const { mark, flagged } = mailbox(HEADER, []);
      yield* mark({ forwardOf: "m_1" });
      expect(flagged).toEqual([]);
      yield* mark({ replyToMessageId: "m_1" });
      expect(flagged).toEqual([[[9], { answered: true }]]);
      yield* mailbox(HEADER, [], []).mark({ replyToMessageId: "m_1" });
      yield* mark({ replyToMessageId: "m_gone" });
    }),
  );
});
