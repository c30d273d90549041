import type { Address } from "../mail/index.ts";
import type { AttachmentRequest } from "./SendRequest.ts";

/** A request to send that holds together; nothing of it can break out of the header or envelope it is put in. */
export interface Draft {
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
  /** Epoch milliseconds; null: at once. */
  readonly sendAt: number | null;
}
