import { badRequest, problem } from "./problem.ts";

/** 400: start again at the first page. */
export class CursorStale extends badRequest<CursorStale>()(
  "cursor_expired",
  "The folder was recreated since this cursor was given",
  "The cursor belongs to a folder that was recreated on the mail server. Start again at the first page, without a cursor.",
  { field: "cursor", message: "is for a folder that was recreated: start again without it" },
) {}

/** 404: never existed, was deleted, or belongs to another account (spec 5). */
export class MessageNotFound extends problem<MessageNotFound>()(
  "message_not_found",
  404,
  "Message not found",
  "The account has no message with this id; it may have been deleted, or moved by another mail client. List the folder again.",
) {}

/** 404: the message has no such part. */
export class AttachmentNotFound extends problem<AttachmentNotFound>()(
  "attachment_not_found",
  404,
  "Attachment not found",
  "The message has no attachment with this id. List the attachments with GET /api/messages/{id}.",
) {}
