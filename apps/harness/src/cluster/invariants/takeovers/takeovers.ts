import { Effect } from "effect";
import type { Invariant } from "../../Invariant.ts";
import { draftSent, saveCompleted, saveRefused } from "./taken-drafts.ts";
import { movedSlowly, removalCopied, removalHeld } from "./taken-mailboxes.ts";
import { copyStored, dotDue, keyDeleted } from "./taken-messages.ts";
import { deliveryClaimed, leaseRenewed } from "./taken-posts.ts";
import { removalBegun } from "./taken-removal.ts";
import { removalResumed, removalSignedOut, watchClaimed } from "./resumed-mailboxes.ts";
import type { Takeover } from "./Takeover.ts";
import { StopPoint } from "./StopPoint.ts";

/**
 * Returns an invariant for which each seed stops a node at one of these points. With a single node, no other node can
 * take over.
 */
const takeoversAt = (name: string, points: ReadonlyArray<Takeover>): Invariant => ({
  name,
  watch: (cluster) => {
    const stop = new StopPoint(cluster);
    return {
      called: (call) => stop.seeBefore(call),
      answered: (call) => stop.see(call),
      alone: (visit) => (cluster.size < 2 ? Effect.void : visit.pickInTurn(points)(visit, cluster, stop)),
    };
  },
});

/**
 * A node stops between an effect and its record, and other nodes finish its work. The random faults of a seed rarely
 * stop nodes at these points.
 */
export const takeovers = takeoversAt("takeovers", [
  copyStored,
  dotDue,
  keyDeleted,
  saveCompleted,
  saveRefused,
  draftSent,
  deliveryClaimed,
  leaseRenewed,
  removalBegun,
]);

/** The same property for work on mailboxes. */
export const mailboxTakeovers = takeoversAt("mailbox-takeovers", [
  movedSlowly,
  removalCopied,
  removalHeld,
  removalResumed,
  removalSignedOut,
  watchClaimed,
]);
