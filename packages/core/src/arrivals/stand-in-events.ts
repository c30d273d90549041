import { type EventAccount } from "../events/neighbours.ts";
import { type MailEvent, writeEvent } from "../events/index.ts";
import { type PlacedChange, receivedData } from "./arrival-events.ts";

/**
 * Returns the two events that stand for a move: one for the folder that the message left, one for the folder in which
 * it arrived (spec 7.11). None if the message is back in its folder. `left` and `came` are the ids of the events.
 */
export const standInEvents = (
  [left, came]: readonly [string, string],
  account: EventAccount,
  { change, folder, from }: PlacedChange,
  id: string,
  now: number,
): ReadonlyArray<MailEvent> => {
  if (change._tag !== "Moved" || from === undefined || from.id === folder.id) return [];
  const { message } = change;
  const standIn = (...folders: ReadonlyArray<string>) => ({ folders, standsForMove: true });
  return [
    writeEvent(
      left,
      account,
      "email.deleted",
      now,
      { id, folder: from.path, uid: message.uid, moved: true },
      standIn(from.id, folder.id),
    ),
    writeEvent(
      came,
      account,
      "email.received",
      now,
      { ...receivedData(message, { id, folder: folder.path }), moved: true },
      standIn(folder.id, from.id),
    ),
  ];
};
