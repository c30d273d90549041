import type { Address } from "../../mail/index.ts";

/** The sender of a message, and the address for answers if the message names none. */
export interface Sender {
  readonly from: Address;
  readonly replyTo: ReadonlyArray<Address>;
}
