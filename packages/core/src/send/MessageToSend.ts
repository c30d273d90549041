import type { Address } from "../mail/index.ts";
import type { AttachmentRequest } from "./SendRequest.ts";

/** A validated request to send; none of its values can break out of its header field or envelope command. */
export interface MessageToSend {
  readonly to: ReadonlyArray<Address>;
  readonly cc: ReadonlyArray<Address>;
  readonly bcc: ReadonlyArray<Address>;
  readonly replyTo: ReadonlyArray<Address>;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  /** Message-IDs with their angle brackets. */
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  readonly attachments: ReadonlyArray<AttachmentRequest>;
  readonly trackOpens: boolean;
  /** Epoch milliseconds; null: send now. */
  readonly sendAt: number | null;
}
