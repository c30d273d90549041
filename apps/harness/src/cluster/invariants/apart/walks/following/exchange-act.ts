import { Effect } from "effect";
import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";
import type { Act } from "../walk.ts";
import { type FollowedMessage, type FollowModel, MOVABLE } from "./FollowModel.ts";

/** The number by which messages of one exchange are longer than those of the exchange before: more than other messages differ. */
const LONGER = 8;

/**
 * A message leaves, and another one arrives that resembles it but is not the same: without a Message-ID and of equal size, or with
 * the same Message-ID and of another size. That is no move.
 */
export const exchangeAct = (
  model: FollowModel,
  random: SeededRandom,
  candidates: () => ReadonlyArray<FollowedMessage>,
): Act => {
  let exchanges = 0;
  return {
    name: "a message leaves and a similar one arrives",
    weight: 4,
    isPossible: () => candidates().length > 0,
    run: Effect.sync(() => {
      const nameless = candidates().filter(({ messageId }) => messageId === null);
      const one = random.pick(nameless.length > 0 && random.chance(0.6) ? nameless : candidates())!;
      // A message may be exchanged again: all messages with one Message-ID have different sizes.
      const longer = LONGER * ++exchanges;
      const other = model.write(random.pick(MOVABLE), random.chance(0.5) ? one.flags : [], one.messageId, longer);
      model.mailbox(one.folder).expunge([model.uidOf(one)]);
      model.messages.splice(model.messages.indexOf(one), 1);
      model.departed(one, one.folder);
      model.arrive(other);
    }),
  };
};
