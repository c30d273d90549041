import type { Address } from "../../mail/index.ts";
import type { MessageContents } from "./MessageContents.ts";

/** The contents of an outgoing message, stored until the message is finished. */
export interface OutgoingContents extends MessageContents {
  readonly from: Address;
  /** Bcc recipients, which only the copy in Sent shows. */
  readonly bcc: ReadonlyArray<Address>;
  readonly attachments: ReadonlyArray<OutgoingAttachment>;
  /** An upper bound of the size on the wire, in bytes. */
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
