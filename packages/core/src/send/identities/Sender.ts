import type { Address } from "../../mail/index.ts";

/** The sender of a message, and the Reply-To address to use if the message has none. */
export interface Sender {
  readonly from: Address;
  readonly replyTo: ReadonlyArray<Address>;
}
