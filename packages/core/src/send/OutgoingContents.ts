import type { Address } from "../mail/index.ts";

/** What a message says, for as long as somebody is still to get it. */
export interface OutgoingContents {
  readonly from: Address;
  readonly to: ReadonlyArray<Address>;
  readonly cc: ReadonlyArray<Address>;
  /** In the copy in Sent, and in no message that leaves. */
  readonly bcc: ReadonlyArray<Address>;
  readonly replyTo: ReadonlyArray<Address>;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
  /** Bytes on the wire at most. */
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
