import { DateTime } from "effect";
import type { MessageToSend, SendRequest } from "../send/neighbours.ts";
import type { OutgoingAttachment } from "../send/index.ts";
import type { DraftContents } from "./Draft.ts";

/** Returns the fields of a draft from the fields of a request. */
export const contentsOf = (
  message: MessageToSend,
  { from, replyToMessageId, force, expiresAfter }: SendRequest,
  attachments: ReadonlyArray<OutgoingAttachment>,
): DraftContents => ({
  from:
    from === undefined || typeof from === "string" ? (from ?? null) : { name: from.name ?? "", address: from.address },
  to: message.to,
  cc: message.cc,
  bcc: message.bcc,
  replyTo: message.replyTo,
  subject: message.subject,
  text: message.text,
  html: message.html,
  inReplyTo: message.inReplyTo,
  references: message.references,
  headers: message.headers,
  attachments,
  trackOpens: message.trackOpens,
  sendAt: message.sendAt,
  replyToMessageId: replyToMessageId ?? null,
  ...(force === true ? { force } : {}),
  ...(expiresAfter === undefined ? {} : { expiresAfter }),
});

/**
 * Returns the fields of a draft that answers a message. The references come from that message, unless the draft has its
 * own.
 */
export const answeringContents = (
  said: DraftContents,
  answered: Pick<DraftContents, "inReplyTo" | "references" | "attachments">,
): DraftContents => ({
  ...said,
  inReplyTo: said.inReplyTo ?? answered.inReplyTo,
  references: said.references.length > 0 ? said.references : answered.references,
  attachments: [...said.attachments, ...answered.attachments],
});

/** Returns the request that sends a draft. */
export const requestOf = (contents: DraftContents): SendRequest => ({
  from: contents.from ?? undefined,
  to: contents.to,
  cc: contents.cc,
  bcc: contents.bcc,
  replyTo: contents.replyTo,
  subject: contents.subject,
  text: contents.text ?? (contents.html === null ? "" : undefined),
  html: contents.html ?? undefined,
  attachments: contents.attachments.map(({ uploadId, name, type, contentId }) => ({
    id: uploadId,
    name,
    type,
    contentId: contentId ?? undefined,
  })),
  inReplyTo: contents.inReplyTo ?? undefined,
  references: contents.references,
  headers: Object.fromEntries(contents.headers),
  trackOpens: contents.trackOpens,
  replyToMessageId: contents.replyToMessageId ?? undefined,
  force: contents.force,
  expiresAfter: contents.expiresAfter,
  sendAt: contents.sendAt === null ? undefined : DateTime.formatIso(DateTime.makeUnsafe(contents.sendAt)),
});
