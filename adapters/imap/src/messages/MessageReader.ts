import type { AccountId } from "@postern/core/shared";
import type { MailboxAccessError } from "@postern/core/mail";
import {
  MessageNotFound,
  MessageReader,
  PREVIEW_BYTES,
  type EncodedBody,
  type ExpectedTexts,
  type MessagePlace,
  type PreviewedText,
  type WantedBytes,
} from "@postern/core/messages";
import { Effect, Layer, Option, Stream } from "effect";
import type { FetchQueryObject } from "imapflow";
import { bodyPart } from "../reading/body-part.ts";
import { command } from "../connection/command.ts";
import { serverAccountOf } from "../session/server-account.ts";
import { ImapConnections } from "../session/ImapConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import type { MailboxUids } from "../visiting/rows-request.ts";
import { messageSummary } from "../reading/message-summary.ts";
import { chosenTexts, previewRequest, previewTexts, sectionsOf } from "../visiting/preview-texts.ts";
import { askEachMailbox, type MailboxRequests } from "../visiting/ask-each-mailbox.ts";
import { MessageStructures } from "../session/MessageStructures.ts";
import { openMessage } from "../reading/open-message.ts";
import { fetchExisting, requireExisting } from "../reading/fetch-existing.ts";
import { readPiece } from "../reading/read-piece.ts";
import { openPlace } from "../selecting/open-place.ts";
import { uidSet } from "../wire/uid-set.ts";
import { transferDecoder } from "../reading/transfer-decoding.ts";

/** Bytes fetched by one command of a download. */
const PIECE = 128 * 1024;

/**
 * Reads single messages over IMAP (spec 5), only by BODY.PEEK. A download takes a connection of the bulk lane for one
 * piece at a time, so that downloads share the connection and a slow client does not block other downloads.
 */
export const layer = (settings: ImapSettings): Layer.Layer<MessageReader, never, ImapConnections | MessageStructures> =>
  Layer.effect(
    MessageReader,
    Effect.gen(function* () {
      const connections = yield* ImapConnections;
      const structures = yield* MessageStructures;
      const { command: timeout } = settings.timeouts;

      const open = Effect.fn("MessageReader.open")(function* (
        account: AccountId,
        place: MessagePlace,
        expected?: ExpectedTexts,
      ) {
        const [client, wanted, row] = yield* connections.hold(account, "interactive", place.path, (client) => {
          const known = structures.of(serverAccountOf(client), place);
          const wanted =
            expected === undefined || known === undefined
              ? { header: true, sections: [], limit: 0 }
              : { header: true, sections: expected.sections(bodyPart(known)), limit: expected.limit };
          return Effect.map(openMessage(client, place, wanted, timeout), (row) => [client, wanted, row] as const);
        });
        const summary = messageSummary(row);
        if (summary === undefined) return yield* new MessageNotFound();
        return {
          summary,
          structure: row.bodyStructure === undefined ? null : bodyPart(row.bodyStructure),
          header: row.headers || new Uint8Array(),
          readBeginnings: Effect.fnUntraced(function* (sections: ReadonlyArray<string>, limit: number) {
            if (sections.length === 0) return [];
            const isFetched = limit === wanted.limit && sections.every((section) => wanted.sections.includes(section));
            const bodyParts = sections.map((key) => ({ key, start: 0, maxLength: limit }));
            const { bodyParts: fetched } = isFetched
              ? row
              : yield* fetchExisting(client, place, { uid: true, bodyParts }, timeout);
            const found = sections.map((section) => fetched?.get(section.toLowerCase()) || undefined);
            if (found.includes(undefined)) yield* requireExisting(client, place, timeout);
            return found.map((part) => part ?? new Uint8Array());
          }),
        };
      });

      /**
       * Opens a mailbox. A session that already has the mailbox open sends no further SELECT, which saves a round trip.
       */
      const inMailbox = (account: AccountId, { path, uidValidity }: Omit<MessagePlace, "uid">) =>
        connections.hold(account, "interactive", path, (client) =>
          client.mailbox !== false && client.mailbox.path === path && Number(client.mailbox.uidValidity) === uidValidity
            ? Effect.succeed(client)
            : openPlace(client, { path, uidValidity }, timeout),
        );

      const previewTextsAlone = Effect.fnUntraced(
        function* (account: AccountId, mailbox: MailboxUids, kind: PreviewedText) {
          const { uids } = mailbox;
          const client = yield* inMailbox(account, mailbox);
          const owner = serverAccountOf(client);
          const fetchAll = (some: ReadonlyArray<number>, query: FetchQueryObject) =>
            Effect.map(
              command(client, "fetch", timeout, () => client.fetchAll(uidSet(some), query, { uid: true })),
              (rows) => rows ?? [],
            );
          const unknown = uids.filter((uid) => structures.of(owner, { ...mailbox, uid }) === undefined);
          for (const { uid, bodyStructure } of unknown.length === 0
            ? []
            : yield* fetchAll(unknown, { uid: true, bodyStructure: true })) {
            if (bodyStructure !== undefined) structures.keep(owner, { ...mailbox, uid }, bodyStructure);
          }
          const texts = chosenTexts(owner, mailbox, structures, kind);
          const wanted = [...texts].filter(([, text]) => text !== null);
          const bodyParts = [...sectionsOf(texts)].map((key) => ({ key, start: 0, maxLength: PREVIEW_BYTES[kind] }));
          const rows =
            wanted.length === 0
              ? []
              : yield* fetchAll(
                  wanted.map(([uid]) => uid),
                  { uid: true, bodyParts },
                );
          return previewTexts(texts, new Map(rows.map((row) => [row.uid, row])));
        },
        Effect.scoped,
        Effect.catchTag("MessageNotFound", () => Effect.succeed(new Map<number, EncodedBody | null>())),
      );

      const readPreviewTexts = Effect.fn("MessageReader.readPreviewTexts")(function* (
        account: AccountId,
        asked: ReadonlyArray<MailboxUids>,
        kind: PreviewedText,
      ) {
        const found = new Map<MailboxUids, ReadonlyMap<number, EncodedBody | null>>();
        const [only] = asked;
        if (asked.length === 1 && only !== undefined) return [yield* previewTextsAlone(account, only, kind)];
        const requests: MailboxRequests<MailboxUids, ReadonlyMap<number, EncodedBody | null>, MailboxAccessError> = {
          together: (client, mailbox) => previewRequest(client, mailbox, structures, kind),
          alone: (mailbox) => previewTextsAlone(account, mailbox, kind),
          gone: new Map(),
        };
        yield* askEachMailbox(connections, account, asked, requests, timeout, (mailbox, texts) =>
          found.set(mailbox, texts),
        );
        return asked.map((mailbox) => found.get(mailbox)!);
      });

      const piece = (account: AccountId, place: MessagePlace, section: string, start: number) =>
        Effect.scoped(
          connections.hold(account, "bulk", place.path, (client) =>
            readPiece(client, place, section, { start, maxLength: PIECE }, timeout),
          ),
        );

      const bytes = Effect.fn("MessageReader.bytes")(function* (
        account: AccountId,
        place: MessagePlace,
        wanted: WantedBytes,
      ) {
        const { section, encoding } = wanted === "raw" ? { section: "", encoding: "binary" } : wanted;
        const first = yield* piece(account, place, section, 0);
        return Stream.suspend(() => {
          const decoder = transferDecoder(encoding);
          const step = (encoded: Uint8Array, start: number) =>
            encoded.length < PIECE
              ? ([[decoder.decode(encoded), decoder.end()], Option.none()] as const)
              : ([[decoder.decode(encoded)], Option.some(start + PIECE)] as const);
          return Stream.paginate(0, (start: number) =>
            start === 0
              ? Effect.succeed(step(first, 0))
              : Effect.map(piece(account, place, section, start), (encoded) => step(encoded, start)),
          ).pipe(Stream.filter((some) => some.length > 0));
        });
      });

      return MessageReader.of({ open, readPreviewTexts, bytes });
    }),
  );
