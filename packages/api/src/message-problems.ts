import { problem } from "./problems.ts";

/** 404: never was, is gone, or is another account's (spec 5). */
export class MessageMissing extends problem<MessageMissing>()("message_not_found", 404, "There is no such message.") {}

/** 404: the message has no such part. */
export class AttachmentMissing extends problem<AttachmentMissing>()(
  "attachment_not_found",
  404,
  "The message has no such attachment.",
) {}

/** 416: `Content-Range` says how many bytes there are (RFC 9110, 15.5.17). */
export class RangeUnsatisfiable extends problem<RangeUnsatisfiable>()(
  "range_not_satisfiable",
  416,
  "There are not that many bytes.",
) {}
