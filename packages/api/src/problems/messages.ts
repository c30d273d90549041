import { badRequest, problem } from "./problem.ts";

/** 400: start again at the first page. */
export class CursorStale extends badRequest<CursorStale>()(
  "cursor_expired",
  "The folder was recreated since this cursor was given.",
) {}

/** 404: never was, is gone, or is another account's (spec 5). */
export class MessageNotFound extends problem<MessageNotFound>()(
  "message_not_found",
  404,
  "There is no such message.",
) {}

/** 404: the message has no such part. */
export class AttachmentNotFound extends problem<AttachmentNotFound>()(
  "attachment_not_found",
  404,
  "The message has no such attachment.",
) {}
