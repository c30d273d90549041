import { Effect } from "effect";
import type { Invariant } from "../../../../Invariant.ts";
import { managedAccount } from "../../../deadlines/managed-account.ts";
import { walk, worldActs } from "../walk.ts";
import { uploadActs } from "./upload-acts.ts";
import { walkedUploads } from "./walked-uploads.ts";

/** The acts of a walk. */
const STEPS = 30;

/**
 * Files are kept for a day, and longer while a message waits with them; an account reads and sends its own files alone; a repeated
 * upload is the same file; messages have their files, in order. [S2.6-3] [S2.6-6] [S2.6-10] [S6.1-1] [S6.1-2] [S6.1-5] [S6.1-7]
 * [S6.4-20] [S12.4-6]
 */
export const uploadWalk: Invariant = {
  name: "upload-walk",
  watch: () => ({
    apart: (visit, cluster) =>
      Effect.gen(function* () {
        const walked = walkedUploads(visit, cluster, yield* managedAccount(visit, cluster, "walked-files"));
        const stranger = walkedUploads(visit, cluster, yield* managedAccount(visit, cluster, "other-files"));
        const acts = [...uploadActs(visit, cluster, walked, stranger), ...worldActs(visit, cluster, walked.deadlines)];
        yield* walk(visit, cluster, acts, STEPS);
      }),
  }),
};
