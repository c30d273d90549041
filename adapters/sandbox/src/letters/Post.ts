import type { Composition } from "./compose.ts";

/** A message of the sandbox with its folder in Robin's account, and in Sam's account if Sam has the message too. */
export interface Post {
  readonly message: Composition;
  readonly folder: string;
  readonly flags: ReadonlyArray<string>;
  readonly friendFolder?: "INBOX" | "Sent";
}
