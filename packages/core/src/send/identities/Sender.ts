import type { Address } from "../../mail/index.ts";

/** The sender of a message, and the default Reply-To address. */
export interface Sender {
  readonly from: Address;
  readonly replyTo: ReadonlyArray<Address>;
}
