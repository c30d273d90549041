import {
  choosePreview,
  type EncodedBody,
  encodedBodyOf,
  type MailboxPlace,
  PREVIEW_BYTES,
  type PreviewedText,
} from "@postern/core/messages";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import type { MailboxRequest } from "./ask-each-mailbox.ts";
import type { MessageStructures } from "../session/MessageStructures.ts";
import { serverAccountOf } from "../session/server-account.ts";
import { uidSet } from "../wire/uid-set.ts";
import { bodyPart } from "../reading/body-part.ts";
import { type MailboxUids, rowsRequest } from "./rows-request.ts";

type ChosenTexts = ReadonlyMap<number, ReturnType<typeof choosePreview>>;

/** Returns the text to preview for each message with a known structure; null for a message without such a text. */
export const chosenTexts = (
  owner: string,
  { uids, ...mailbox }: MailboxUids,
  structures: MessageStructures["Service"],
  kind: PreviewedText,
): ChosenTexts =>
  new Map(
    uids.flatMap((uid) => {
      const structure = structures.of(owner, { ...mailbox, uid });
      return structure === undefined ? [] : [[uid, choosePreview(bodyPart(structure), kind)] as const];
    }),
  );

/** Returns the sections of these texts. One FETCH requests all sections of all messages; a section that a message lacks is NIL. */
export const sectionsOf = (texts: ChosenTexts): ReadonlySet<string> =>
  new Set([...texts.values()].flatMap((text) => (text === null ? [] : [text.part.section])));

/** Returns the fetched texts; null for a message without one. */
export const previewTexts = (
  texts: ChosenTexts,
  rows: ReadonlyMap<number, FetchMessageObject>,
): ReadonlyMap<number, EncodedBody | null> =>
  new Map(
    [...texts].flatMap(([uid, text]): ReadonlyArray<readonly [number, EncodedBody | null]> => {
      if (text === null) return [[uid, null]];
      const bytes = rows.get(uid)?.bodyParts?.get(text.part.section.toLowerCase());
      return bytes ? [[uid, encodedBodyOf(text, bytes)]] : [];
    }),
  );

/** Returns a FETCH of texts to preview; undefined if a structure is not known. */
export const previewRequest = (
  client: ImapFlow,
  mailbox: MailboxUids & MailboxPlace,
  structures: MessageStructures["Service"],
  kind: PreviewedText,
): MailboxRequest<ReadonlyMap<number, EncodedBody | null>> | undefined => {
  const texts = chosenTexts(serverAccountOf(client), mailbox, structures, kind);
  if (texts.size < mailbox.uids.length) return undefined;
  const uids = [...texts].flatMap(([uid, text]) => (text === null ? [] : [uid])).sort((one, other) => one - other);
  const parts = [...sectionsOf(texts)].map((section) => `BODY.PEEK[${section}]<0.${PREVIEW_BYTES[kind]}>`);
  const lines = uids.length === 0 ? [] : [`UID FETCH ${uidSet(uids)} (UID ${parts.join(" ")})`];
  return rowsRequest(
    { ...mailbox, uids },
    lines,
    () => true,
    (rows) => previewTexts(texts, rows),
  );
};
