import { leavesOf } from "@postern/core/mail";
import {
  HEADER_LIMIT,
  MessageNotFound,
  type MessagePlace,
  MessageReader,
  type WantedBytes,
} from "@postern/core/messages";
import { Effect, Layer, Stream } from "effect";
import { bodyPart } from "../mail/body-part.ts";
import { headerFields, splitEntity } from "../mail/header-fields.ts";
import type { MailAccount } from "../mail/MailAccount.ts";
import { type MimeSection, mimeTree } from "../mail/mime-sections.ts";
import { signedIn } from "../mail/signed-in.ts";
import type { StoredMessage } from "../mail/StoredMessage.ts";
import { decodedBody } from "../mail/transfer-encodings.ts";

/** Bytes a stream hands on at a time. */
const PIECE = 64 * 1024;

/** Single messages of a `MailWorld`. */
export const layer = Layer.effect(
  MessageReader,
  Effect.map(signedIn, (signedIn) => {
    const find = Effect.fnUntraced(function* (account: MailAccount, { path, uidValidity, uid }: MessagePlace) {
      const mailbox = account.find(path)?.mailbox;
      const message = mailbox?.uidValidity === uidValidity ? mailbox.find(uid) : undefined;
      return message ?? (yield* new MessageNotFound());
    });

    return {
      open: Effect.fnUntraced(function* (id, place) {
        const account = yield* signedIn(id);
        const message = yield* find(account, place);
        const { tree, header } = treeOf(message);
        return {
          summary: message.summary,
          structure: bodyPart(tree),
          header: bytesOf(`${header}\r\n\r\n`).subarray(0, HEADER_LIMIT),
          beginnings: (sections, limit) =>
            Effect.as(
              find(account, place),
              sections.map((section) => bytesOf(sectionOf(tree, section)?.body ?? "").subarray(0, limit)),
            ),
        };
      }),
      bytes: Effect.fnUntraced(function* (id, place, wanted) {
        const account = yield* signedIn(id);
        const message = yield* find(account, place);
        const bytes = contentsOf(message, wanted);
        const pieces = Array.from({ length: Math.ceil(bytes.length / PIECE) }, (_, n) =>
          bytes.subarray(n * PIECE, (n + 1) * PIECE),
        );
        return Stream.mapEffect(Stream.fromIterable(pieces), (piece) => Effect.as(find(account, place), piece));
      }),
    };
  }),
);

const treeOf = ({ raw }: StoredMessage) => {
  const { header, body } = splitEntity(Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString("latin1"));
  return { header, tree: mimeTree({ fields: headerFields(header), body }) };
};

const sectionOf = (part: MimeSection, section: string): MimeSection | undefined =>
  part.section === section && part.parts.length === 0
    ? part
    : part.parts.map((inner) => sectionOf(inner, section)).find((found) => found !== undefined);

const contentsOf = (message: StoredMessage, wanted: WantedBytes): Uint8Array => {
  if (wanted === "raw") return message.raw;
  const { tree } = treeOf(message);
  if (!leavesOf(bodyPart(tree)).some(({ section }) => section === wanted.section)) return new Uint8Array();
  const encoded = sectionOf(tree, wanted.section)?.body ?? "";
  return decodedBody(encoded, wanted.encoding);
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
