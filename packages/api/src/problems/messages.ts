import { Schema } from "effect";
import { badRequest, problem } from "./problem.ts";

/** 400: the cursor is no longer valid; start again at the first page. */
export class CursorStale extends badRequest<CursorStale>()(
  "cursor_expired",
  "The folder was recreated since this cursor was given",
  "The cursor belongs to a folder that was recreated on the mail server. Start again at the first page, without a cursor.",
  { field: "cursor", message: "is for a folder that was recreated: start again without it" },
) {}

/** 503 with `Retry-After`: messages of the folder are not recorded yet (spec 5.7). */
export class ListingNotReady extends problem<ListingNotReady>()(
  "listing_not_ready",
  503,
  "Messages of the folder are not recorded yet",
  "The account has followed all folders only for a short time, or the mail server recreated a folder. Changes of " +
    "messages are announced only once the messages are recorded. Retry after the seconds given in Retry-After; " +
    "following of the account shows the progress.",
) {}

/** The rule of label names, worded to follow the name of the field. */
export const LABEL_RULE =
  'must have names of 1 to 64 bytes in modified UTF-7, without spaces, control characters and ( ) { % * " \\ ], and none of $Forwarded, $MDNSent, $Junk, $NotJunk and $Phishing';

/** 400: a label cannot have this name (spec 5.5). */
export class LabelInvalid extends badRequest<LabelInvalid>()(
  "invalid_label",
  "A label cannot have this name",
  "The name of a label is empty, too long, has a character that mail servers do not accept, or is the name of a " +
    "flag. Correct the field that errors names.",
  { field: "addLabels", message: LABEL_RULE },
) {}

/** 409: the mail server cannot store the labels (spec 5.5). */
export class LabelsNotSupported extends problem<LabelsNotSupported>()(
  "labels_not_supported",
  409,
  "The mail server does not keep these labels",
  "The mail server accepts only labels that it already knows in this folder, or refused these labels. Use labels " +
    "that GET /api/labels lists, or shorter names.",
) {}

/** 404: the message never existed, was deleted, or belongs to another account (spec 5). */
export class MessageNotFound extends problem<MessageNotFound>()(
  "message_not_found",
  404,
  "Message not found",
  "The account has no message with this id; it may have been deleted, or moved by another mail client. List the folder again.",
) {}

/** 409: the message offers no way to leave its list (spec 5.8). */
export class UnsubscribeNotOffered extends problem<UnsubscribeNotOffered>()(
  "unsubscribe_not_offered",
  409,
  "The message has no list to leave",
  "The message has no usable List-Unsubscribe field, so there is no known way to leave its list. Nothing was sent.",
) {}

/** 502: the list did not accept the request (spec 5.8). */
export class UnsubscribeFailed extends problem<UnsubscribeFailed>()(
  "unsubscribe_failed",
  502,
  "The list did not accept the request to unsubscribe",
  "The server of the list could not be reached, may not be contacted, or refused the request. Open url in a browser instead.",
  {
    url: Schema.String.annotate({
      description: "The URL that the message names.",
      examples: ["https://news.example/leave?u=42"],
    }),
  },
) {}

/** 409: the message has no invitation that can be answered (spec 5.8). */
export class InvitationNotAnswerable extends problem<InvitationNotAnswerable>()(
  "invitation_not_answerable",
  409,
  "The message has no invitation that can be answered",
  "Only an invitation of this account by an organizer can be answered, and only while it is not cancelled. Nothing " +
    "was sent.",
) {}

/** 404: the message has no such part. */
export class AttachmentNotFound extends problem<AttachmentNotFound>()(
  "attachment_not_found",
  404,
  "Attachment not found",
  "The message has no attachment with this id. List the attachments with GET /api/messages/{id}.",
) {}
