import type { WorldPart } from "../WorldPart.ts";
import { passwordActs, signInAgain, signInUsers } from "./accounts.ts";
import { applicationActs, createApplication, resumeGuests } from "./applications.ts";
import { createEndpoints, endpointActs } from "./endpoints.ts";
import { faultActs } from "./faults.ts";
import { createArchive, folderActs } from "./folders.ts";
import { mailActs } from "./mail.ts";
import { sendActs } from "./sends.ts";
import { sessionActs } from "./sessions.ts";

/** Everything that users, mail and the environment do. */
export const defaultWorld: ReadonlyArray<WorldPart> = [
  { prepare: signInUsers, write: passwordActs, recover: signInAgain },
  { prepare: createEndpoints, write: endpointActs },
  { prepare: createApplication, write: applicationActs, recover: resumeGuests },
  { prepare: createArchive, write: folderActs },
  { write: sendActs },
  { write: mailActs },
  { write: sessionActs },
  { write: faultActs },
];
