import type { Address } from "../mail/index.ts";

/** The contents of an outgoing message, stored until the message is finished. */
export interface OutgoingContents {
  readonly from: Address;
  readonly to: ReadonlyArray<Address>;
  readonly cc: ReadonlyArray<Address>;
  /** Written in the copy in Sent only. */
  readonly bcc: ReadonlyArray<Address>;
  readonly replyTo: ReadonlyArray<Address>;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
  /** Upper bound of the bytes on the wire. */
  readonly size: number;
}

/** An uploaded file in a message. */
export interface OutgoingAttachment {
  readonly uploadId: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly contentId: string | null;
}
