import type { Address } from "../../mail/index.ts";

/** The fields that a request to send, a draft and a journaled message have in common. */
export interface MessageContents {
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
}
