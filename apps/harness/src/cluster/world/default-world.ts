import type { WorldPart } from "../WorldPart.ts";
import { createEndpoints, receiverActs } from "./endpoints.ts";
import { faultActs } from "./faults.ts";
import { mailActs } from "./mail.ts";
import { sendActs, signInAll } from "./sends.ts";

/** Everything that users, mail and the environment do. */
export const defaultWorld: ReadonlyArray<WorldPart> = [
  { prepare: signInAll, write: sendActs },
  { prepare: createEndpoints, write: receiverActs },
  { write: mailActs },
  { write: faultActs },
];
