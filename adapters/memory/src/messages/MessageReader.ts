import {
  encodedBodyOf,
  choosePreview,
  MAX_HEADER_BYTES,
  MessageNotFound,
  type MessagePlace,
  MessageReader,
  PREVIEW_BYTES,
  type WantedBytes,
} from "@postern/core/messages";
import { Effect, Layer, Stream } from "effect";
import { messageEntity } from "../mail/entity.ts";
import type { MailAccount } from "../mail/MailServerInMemory.ts";
import { messageStructure } from "../mail/message-structure.ts";
import { signedIn } from "../mail/signed-in.ts";
import type { StoredMessage } from "../mail/Mailbox.ts";
import { decodedBody } from "../mail/transfer-encodings.ts";

/** Bytes per chunk of a stream. */
const PIECE = 64 * 1024;

/** Reads single messages of a `MailWorld`. */
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
        const entity = messageEntity(message.raw);
        const { structure, bodies } = messageStructure(entity);
        return {
          summary: message.summary,
          structure,
          header: bytesOf(`${entity.header}\r\n\r\n`).subarray(0, MAX_HEADER_BYTES),
          readBeginnings: (sections, limit) =>
            Effect.as(
              find(account, place),
              sections.map((section) => bytesOf(bodies.get(section) ?? "").subarray(0, limit)),
            ),
        };
      }),
      readPreviewTexts: Effect.fnUntraced(function* (id, asked, kind) {
        const mail = yield* signedIn(id);
        return asked.map(({ path, uidValidity, uids }) => {
          const mailbox = mail.find(path)?.mailbox;
          return new Map(
            uids.flatMap((uid) => {
              const message = mailbox?.uidValidity === uidValidity ? mailbox.find(uid) : undefined;
              if (message === undefined) return [];
              const { structure, bodies } = messageStructure(messageEntity(message.raw));
              const text = choosePreview(structure, kind);
              const bytes = bytesOf(bodies.get(text?.part.section ?? "") ?? "").subarray(0, PREVIEW_BYTES[kind]);
              return [[uid, text === null ? null : encodedBodyOf(text, bytes)] as const];
            }),
          );
        });
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

const contentsOf = ({ raw }: StoredMessage, wanted: WantedBytes): Uint8Array => {
  if (wanted === "raw") return raw;
  const { bodies } = messageStructure(messageEntity(raw));
  return decodedBody(bodies.get(wanted.section) ?? "", wanted.encoding);
};

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
