import type { MessageRef } from "../shared/index.ts";
import type { LeftLocation, MessagesAt } from "./ports/MovedMessages.ts";

/** Returns a text that identifies a location within an account. */
export const locationKey = ({ folderId, uidValidity, uid }: MessageRef): string => `${uid} ${uidValidity} ${folderId}`;

/** Groups locations by mailbox. */
export const byMailbox = (refs: ReadonlyArray<MessageRef>): ReadonlyArray<MessagesAt> =>
  [...Map.groupBy(refs, ({ folderId, uidValidity }) => `${uidValidity} ${folderId}`).values()].map((some) => ({
    folderId: some[0]!.folderId,
    uidValidity: some[0]!.uidValidity,
    uids: [...new Set(some.map(({ uid }) => uid))],
  }));

/**
 * Returns a function that takes any location that a message has or left, and returns the message's present location and
 * the location that its id encodes.
 */
export const readLocations = (left: ReadonlyArray<LeftLocation>) => {
  const byFrom = new Map(left.map((one) => [locationKey(one.from), one]));
  const byNow = new Map(left.map((one) => [locationKey(one.now), one]));
  return (ref: MessageRef): { readonly now: MessageRef; readonly id: MessageRef } => {
    const moved = byFrom.get(locationKey(ref));
    return moved ?? { now: ref, id: byNow.get(locationKey(ref))?.id ?? ref };
  };
};
