import { Context, Effect, Layer, Option } from "effect";
import { type BodyPart, leavesOf, type MailboxAccessError, MAX_ATTACHMENTS } from "../mail/index.ts";
import { headersOf, isAutomaticHeader } from "../mail/neighbours.ts";
import { type AccountId, type InputInvalid, PathPrefix } from "../shared/index.ts";
import { checkMessage } from "./check-messages.ts";
import { calendarIn, type ChosenBody, chooseBodies } from "./choose-bodies.ts";
import { AttachmentNotFound, type MessageNotFound } from "./errors.ts";
import { type LocatedMessage, MessageLocator } from "./MessageLocator.ts";
import type { AttachedText, DownloadedBytes, MessageAttachment, ReadMessage } from "./ReadMessage.ts";
import { type EncodedBody, MessageParser } from "./ports/MessageParser.ts";
import { type ExpectedTexts, MessageReader, type WantedBytes } from "./ports/MessageReader.ts";

type MessageError = InputInvalid | MailboxAccessError | MessageNotFound;

/** The number of encoded bytes of one text that are read. */
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** The number of encoded bytes of all texts of a message that are read. */
const MAX_BODIES_BYTES = 8 * 1024 * 1024;

/** Reads single messages without marking them as read (spec 5). */
export class Messages extends Context.Service<
  Messages,
  {
    /** Reads a message; with `withVisibleText`, also the text that a person sees. */
    readonly read: (
      account: AccountId,
      id: string,
      withVisibleText?: boolean,
    ) => Effect.Effect<ReadMessage, MessageError>;
    readonly raw: (account: AccountId, id: string) => Effect.Effect<DownloadedBytes, MessageError>;
    readonly attachment: (
      account: AccountId,
      id: string,
      section: string,
    ) => Effect.Effect<DownloadedBytes, MessageError | AttachmentNotFound>;
    /** Reads the text of an attachment that a person sees, up to 2 MiB of it. */
    readonly attachmentText: (
      account: AccountId,
      id: string,
      section: string,
    ) => Effect.Effect<AttachedText, MessageError | AttachmentNotFound>;
  }
>()("@postern/core/messages/Messages") {
  static readonly layer = Layer.effect(
    Messages,
    Effect.gen(function* () {
      const locator = yield* MessageLocator;
      const reader = yield* MessageReader;
      const parser = yield* MessageParser;
      const prefix = yield* PathPrefix;

      /** Fetches the structure and texts, and frees the connection before they are parsed. */
      const fetch = Effect.fnUntraced(function* (account: AccountId, { place }: LocatedMessage) {
        const message = yield* reader.open(account, place, TEXTS);
        const chosen = bodiesOf(message.structure);
        const calendar = calendarIn(message.structure);
        const beginnings = yield* message.readBeginnings(sectionsOf(chosen, calendar), MAX_BODY_BYTES);
        return { message, chosen, beginnings, calendar: calendar && { part: calendar, bytes: beginnings.at(-1)! } };
      }, Effect.scoped);

      const messageAt = <A, E>(
        account: AccountId,
        id: string,
        use: (message: LocatedMessage) => Effect.Effect<A, E | MessageNotFound>,
        attachmentId?: string,
      ) => Effect.andThen(checkMessage({ id, attachmentId }), locator.withMessage(account, id, use));

      const read = Effect.fn("Messages.read")((account: AccountId, id: string, withVisibleText = false) =>
        messageAt(account, id, (located) =>
          Effect.gen(function* () {
            const { message, chosen, beginnings, calendar } = yield* fetch(account, located);
            const bodies = encodedBodies(chosen, beginnings);
            const parts = attachedParts(message.structure, chosen);
            const attachments = parts.slice(0, MAX_ATTACHMENTS).map((part) => attachmentOf(prefix, located.id, part));
            const parsed = yield* Effect.result(
              parser.read(account, `${account}/${located.id}`, {
                header: message.header,
                bodies,
                withVisibleText,
                ...(calendar === undefined ? {} : { calendar: encodedCalendar(calendar) }),
                pictures: Object.fromEntries(
                  attachments.flatMap(({ contentId, url }) => (contentId === null ? [] : [[contentId, url]])),
                ),
              }),
            );
            const headers = parsed._tag === "Success" ? parsed.success.headers : [];
            return {
              id: located.id,
              folder: located.folder,
              summary: message.summary,
              attachments,
              parsed,
              truncated:
                bodies.length < chosen.length ||
                parts.length > MAX_ATTACHMENTS ||
                bodies.some(({ bytes }) => bytes.length >= MAX_BODY_BYTES),
              automatic: isAutomaticHeader(message.header),
              inReplyTo: messageIdsIn(headersOf(headers, "In-Reply-To"))[0] ?? null,
              references: messageIdsIn(headersOf(headers, "References")),
            };
          }),
        ),
      );

      const download = Effect.fnUntraced(function* (
        account: AccountId,
        located: LocatedMessage,
        wanted: WantedBytes,
        about: Pick<DownloadedBytes, "name" | "type">,
      ) {
        const bytes = reader.bytes(account, located.place, wanted);
        const tag = wanted === "raw" ? located.id : `${located.id}.${wanted.section}`;
        return { ...about, tag, bytes, first: yield* bytes };
      });

      const raw = Effect.fn("Messages.raw")((account: AccountId, id: string) =>
        messageAt(account, id, (located) =>
          download(account, located, "raw", { name: "message.eml", type: "message/rfc822" }),
        ),
      );

      const attachmentText = Effect.fn("Messages.attachmentText")((account: AccountId, id: string, section: string) =>
        messageAt(
          account,
          id,
          Effect.fnUntraced(function* (located) {
            const { part, beginning } = yield* Effect.scoped(
              Effect.gen(function* () {
                const message = yield* reader.open(account, located.place);
                const leaves = message.structure === null ? [] : leavesOf(message.structure);
                const found = leaves.find((leaf) => leaf.section === section);
                if (found === undefined) return yield* new AttachmentNotFound();
                if (!isText(found)) return { part: found, beginning: undefined };
                const [bytes] = yield* message.readBeginnings([section], MAX_BODY_BYTES);
                return { part: found, beginning: bytes };
              }),
            );
            const { name, type, size } = part;
            if (beginning === undefined) return { name, type, size, text: null, truncated: false };
            const bodies = encodedBodies([{ group: 0, part }], [beginning]);
            const key = `${account}/${located.id}/${section}`;
            const parsed = yield* Effect.option(
              parser.read(account, key, { header: new Uint8Array(), bodies, pictures: {}, withVisibleText: true }),
            );
            const text = Option.getOrNull(Option.flatMap(parsed, ({ visible }) => Option.fromNullishOr(visible)));
            return { name, type, size, text, truncated: beginning.length >= MAX_BODY_BYTES };
          }),
          section,
        ),
      );

      const attachment = Effect.fn("Messages.attachment")((account: AccountId, id: string, section: string) =>
        messageAt(
          account,
          id,
          Effect.fnUntraced(function* (located) {
            const { structure } = yield* Effect.scoped(reader.open(account, located.place));
            const part = structure === null ? undefined : leavesOf(structure).find((leaf) => leaf.section === section);
            if (part === undefined) return yield* new AttachmentNotFound();
            return yield* download(account, located, part, { name: part.name, type: part.type });
          }),
          section,
        ),
      );

      return Messages.of({ read, raw, attachment, attachmentText });
    }),
  );
}

/** Returns whether an attachment is a text: plain, HTML, a table or a calendar. */
const isText = ({ type }: BodyPart): boolean => /^text\/(?:plain|html|csv|calendar|markdown)$/.test(type);

const TEXTS: ExpectedTexts = {
  sections: (structure) => sectionsOf(bodiesOf(structure), calendarIn(structure)),
  limit: MAX_BODY_BYTES,
};

const sectionsOf = (chosen: ReadonlyArray<ChosenBody>, calendar: BodyPart | undefined): ReadonlyArray<string> =>
  [...chosen.map(({ part }) => part), ...(calendar === undefined ? [] : [calendar])].map(({ section }) => section);

const encodedCalendar = ({ part, bytes }: { readonly part: BodyPart; readonly bytes: Uint8Array }): EncodedBody => ({
  group: 0,
  type: "text/plain",
  parameters: part.parameters,
  encoding: part.encoding,
  bytes,
});

/** Returns the texts or, if the server could not parse the message, everything after its header. */
const bodiesOf = (structure: BodyPart | null): ReadonlyArray<ChosenBody> => {
  if (structure !== null && leavesOf(structure).length > 0) return chooseBodies(structure);
  return [{ group: 0, part: WHOLE_BODY }];
};

const WHOLE_BODY: BodyPart = {
  section: "TEXT",
  type: "text/plain",
  parameters: {},
  encoding: "8bit",
  size: 0,
  name: null,
  disposition: null,
  contentId: null,
  parts: [],
};

const encodedBodies = (
  chosen: ReadonlyArray<ChosenBody>,
  beginnings: ReadonlyArray<Uint8Array>,
): ReadonlyArray<EncodedBody> => {
  const bodies: Array<EncodedBody> = [];
  let total = 0;
  for (const [n, { group, part }] of chosen.entries()) {
    const bytes = beginnings[n] ?? new Uint8Array();
    total += bytes.length;
    if (total > MAX_BODIES_BYTES) break;
    const { parameters, encoding } = part;
    bodies.push({ group, type: part.type === "text/html" ? "text/html" : "text/plain", parameters, encoding, bytes });
  }
  return bodies;
};

/** Returns the parts that are not shown as text: files, and inline images of the HTML. */
const attachedParts = (structure: BodyPart | null, chosen: ReadonlyArray<ChosenBody>): ReadonlyArray<BodyPart> => {
  const shown = new Set(chosen.map(({ part }) => part));
  return structure === null ? [] : leavesOf(structure).filter((part) => !shown.has(part));
};

/** Returns the path of a message part, below the prefix of the service. */
const attachmentPath = (prefix: string, id: string, section: string): string =>
  `${prefix}/api/messages/${encodeURIComponent(id)}/attachments/${encodeURIComponent(section)}`;

const attachmentOf = (prefix: string, id: string, part: BodyPart): MessageAttachment => ({
  id: part.section,
  name: part.name,
  type: part.type,
  size: part.size,
  inline: part.disposition !== "attachment" && part.contentId !== null,
  contentId: part.contentId,
  url: attachmentPath(prefix, id, part.section),
});

const messageIdsIn = (values: ReadonlyArray<string>): ReadonlyArray<string> =>
  values.flatMap((value) => value.match(/<[^<>\s]{1,990}>/g) ?? []).slice(0, 200);
