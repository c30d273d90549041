import type { MessageContents } from "./outgoing/MessageContents.ts";
import type { AttachmentRequest } from "./SendRequest.ts";

/** A validated request to send; none of its values can break out of its header field or envelope command. */
export interface MessageToSend extends MessageContents {
  readonly attachments: ReadonlyArray<AttachmentRequest>;
  readonly trackOpens: boolean;
  /** When to send the message, in epoch milliseconds; null to send it now. */
  readonly sendAt: number | null;
  /** How long the message may wait to be sent, in milliseconds; null for the operator's setting. */
  readonly expiresAfter: number | null;
}
