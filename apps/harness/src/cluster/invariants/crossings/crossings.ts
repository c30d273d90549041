import { Effect } from "effect";
import type { Cluster } from "../../Cluster.ts";
import type { Invariant } from "../../Invariant.ts";
import type { Visit } from "../../Visit.ts";
import type { Crossing } from "./Crossing.ts";
import {
  createdWhileSignedIn,
  refusedWhileSignedIn,
  removedWhileSignedIn,
  signedOutWhileSignedIn,
} from "./crossed-sign-ins.ts";
import { resumedWhileSent, usedWhileRefreshed } from "./crossed-changes.ts";
import {
  changedWhileVerified,
  defaultWhileDefault,
  verifiedWhileChanged,
  verifiedWhileRemoved,
} from "./crossed-identities.ts";
import { followedWhileChanged, watchedWhileWatched } from "./crossed-watches.ts";
import { HoldPoint } from "./HoldPoint.ts";
import { serveBeside } from "./serve-beside.ts";

/** A number larger than the number of calls of any request. */
const MAX_CALLS = 40;

/**
 * The effects that another request commits while a node is halted between two calls are not undone when the node
 * continues. The node is halted before each of its calls in turn, because random pauses rarely end at a time that
 * matters. Each seed has one of the kinds.
 */
const crossingsOf = (name: string, kinds: ReadonlyArray<Crossing>): Invariant => ({
  name,
  watch: (cluster) => {
    const hold = new HoldPoint(cluster);
    return {
      called: (call) => hold.see(call),
      alone: (visit) => (cluster.size < 2 ? Effect.void : cross(visit, cluster, hold, visit.pickInTurn(kinds))),
    };
  },
});

const cross = (visit: Visit, cluster: Cluster, hold: HoldPoint, { name, prepare }: Crossing) =>
  Effect.gen(function* () {
    for (let call = 1, isHeld = true; isHeld && call <= MAX_CALLS; call++) {
      const account = yield* visit.signUp(`${name}-${call}`);
      const { about, held, meanwhile, after } = yield* prepare(visit, cluster, account);
      const ids = about === undefined ? [account] : [account, about];
      isHeld = yield* serveBeside(visit, hold, { about: ids, call }, held, meanwhile);
      yield* after;
    }
  });

/**
 * Sign-ins concurrent with a sign-out, with the refusal of the former password, with a removal and with a creation. [S3.7-2]
 * [S3.7-5] [S7.3-1] [S10.3-31]
 */
export const crossedSignIns = crossingsOf("crossed-sign-ins", [
  refusedWhileSignedIn,
  removedWhileSignedIn,
  signedOutWhileSignedIn,
  createdWhileSignedIn,
]);

/**
 * Concurrent changes of the same thing, also of an identity whose link is opened, and a message that falls due while its
 * application is resumed. [S3.3-6] [S10.2-30] [S12.2-2] [S12.2-3] [S12.2-7]
 */
export const crossedChanges = crossingsOf("crossed-changes", [
  verifiedWhileChanged,
  defaultWhileDefault,
  resumedWhileSent,
  changedWhileVerified,
  usedWhileRefreshed,
  verifiedWhileRemoved,
]);

/** Two concurrent beginnings of a watch, and an event during the beginning of a stream. [S7.4-3] [S7.9-3] */
export const crossedWatches = crossingsOf("crossed-watches", [followedWhileChanged, watchedWhileWatched]);
