import type { Address } from "../../mail/index.ts";

/** The sender of a message, and where answers to it go unless the message says. */
export interface Sender {
  readonly from: Address;
  readonly replyTo: ReadonlyArray<Address>;
}
