import { Effect } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { SECOND } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { type FollowedMessage, type FollowModel, type FolderName, MOVABLE } from "./FollowModel.ts";

/** The time in which all folders are polled, also if the server stopped announcing changes, in milliseconds. */
const POLLED = 24 * SECOND;
/** The time until a folder that opens again is read, in milliseconds. */
const FOUND = 45 * SECOND;

/**
 * A message moves to a folder that the server does not open now, so that its departure waits for the other folder. What arrives in
 * its folder meanwhile is told and listed at once.
 */
export const heldChangeAct = (
  visit: Visit,
  { random }: Cluster,
  model: FollowModel,
  candidates: () => ReadonlyArray<FollowedMessage>,
  isFree: (one: FollowedMessage, folder: FolderName) => boolean,
  list: (closed: FolderName | null, of: FolderName) => Effect.Effect<unknown, unknown>,
): Act => ({
  name: "a message arrives while a change is held",
  weight: 2,
  isPossible: () => model.isAll && !model.isOutage && candidates().length > 0,
  run: Effect.gen(function* () {
    const one = random.pick(candidates())!;
    const folder = random.pick(MOVABLE.filter((other) => other !== "INBOX" && other !== one.folder));
    if (folder === undefined || !isFree(one, folder)) return;
    const [from, closed] = [one.folder, model.mailbox(folder)];
    closed.isClosed = true;
    model.mailbox(from).move([model.uidOf(one)], closed);
    model.moved(one, folder, false);
    yield* visit.wait(POLLED);
    model.arrive(model.write(from, []));
    yield* visit.wait(POLLED);
    yield* list(folder, from);
    closed.isClosed = false;
    yield* visit.wait(FOUND);
  }),
});
