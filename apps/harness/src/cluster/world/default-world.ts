import type { WorldPart } from "../WorldPart.ts";
import { passwordActs, signInAgain, signInUsers } from "./accounts.ts";
import { applicationActs, createApplication, resumeGuests } from "./applications.ts";
import { approvalActs, decideAtLast } from "./approvals.ts";
import { bounceActs } from "./bounces.ts";
import { draftActs, saveDraftsAgain } from "./drafts.ts";
import { creationActs, signInCreator } from "./creations.ts";
import { createEndpoints, endpointActs } from "./endpoints.ts";
import { faultActs } from "./faults.ts";
import { createArchive, folderActs } from "./folders.ts";
import { connectGrants, grantActs, recoverGrants } from "./grants.ts";
import { mailActs } from "./mail.ts";
import { restartActs } from "./restarts.ts";
import { sendActs } from "./sends.ts";
import { sessionActs } from "./sessions.ts";
import { streamActs } from "./streams.ts";

/** The parts of the world: all acts of users, mail servers and the environment. */
export const defaultWorld: ReadonlyArray<WorldPart> = [
  { prepare: signInUsers, write: passwordActs, recover: signInAgain },
  { prepare: createEndpoints, write: endpointActs },
  { prepare: createApplication, write: applicationActs, recover: resumeGuests },
  { prepare: connectGrants, write: grantActs, recover: recoverGrants },
  { prepare: createArchive, write: folderActs },
  { write: sendActs },
  { prepare: signInCreator, write: creationActs },
  { write: draftActs, recover: saveDraftsAgain },
  { write: mailActs },
  { write: bounceActs },
  { write: streamActs },
  { write: sessionActs },
  { write: faultActs },
  { write: restartActs },
  { write: approvalActs, recover: decideAtLast },
];
