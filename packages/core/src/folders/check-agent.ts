import { Effect } from "effect";
import { AgentNotAllowed } from "../auth/index.ts";
import { ActingAgent } from "../auth/neighbours.ts";
import type { Folder } from "./Folder.ts";

/** The folders that hold the owner's own messages. */
const OWNER_FOLDERS = ["sent", "drafts"] as const;

/**
 * Fails if an agent names a folder in a mailbox without Sent or Drafts (spec 13.1). Mail servers recognise Sent and
 * Drafts by their names, in many languages, so the agent's folder could become the missing one.
 */
export const checkAgentNames = Effect.fnUntraced(function* (folders: ReadonlyArray<Folder>) {
  const isComplete = OWNER_FOLDERS.every((role) => folders.some((folder) => folder.role === role));
  if (isComplete || (yield* ActingAgent) === null) return;
  return yield* new AgentNotAllowed({
    detail: "The mailbox has no Sent or Drafts yet: let its owner create them first",
  });
});
