import type { EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";

/** The ids of the folders whose events a reader gets (spec 7.11); `*` means all folders except Junk and Trash. */
export type FolderChoice = ReadonlyArray<string>;

/** The default choice of an endpoint or a stream. */
export const INBOX_ALONE: FolderChoice = ["inbox"];

/** The default choice of a feed. */
const EVERY_FOLDER: FolderChoice = ["*"];

/** Returns the folders in a comma-separated list; all folders without a list. */
export const foldersIn = (text: string | undefined): FolderChoice =>
  text === undefined ? EVERY_FOLDER : text.split(",");

/** Types of events about messages in folders. In releases without folders, these events were about INBOX. */
const MESSAGE_EVENTS: ReadonlyArray<EventType> = ["email.received", "email.deleted", "email.flags_changed"];

const foldersOf = ({ type, folders }: MailEvent): ReadonlyArray<string> =>
  folders ?? (MESSAGE_EVENTS.includes(type) ? INBOX_ALONE : []);

/** Returns whether a choice contains a folder. */
export const isChosen = (choice: FolderChoice, id: string): boolean =>
  choice.includes(id) || (choice.includes("*") && id !== "junk" && id !== "trash");

/**
 * Returns whether an endpoint or a stream gets an event, by its folders and its types (null: all). A reader that gets
 * the event of a move does not get the events that stand for the move.
 */
export const isTold = (
  { events, folders }: { readonly events: ReadonlyArray<EventType> | null; readonly folders: FolderChoice },
  event: MailEvent,
): boolean => {
  const isOfType = (type: EventType) => events === null || events.includes(type);
  const about = foldersOf(event);
  const hearsAll = about.every((id) => isChosen(folders, id));
  if (!isOfType(event.type)) return false;
  if (event.standsForMove === true) return isChosen(folders, about[0]!) && !(isOfType("email.moved") && hearsAll);
  return hearsAll;
};

/**
 * Returns whether an event is in a feed of these folders. A feed contains moves from and to each folder, and no events
 * that stand for moves.
 */
export const isInFeed = (folders: FolderChoice, event: MailEvent): boolean => {
  const about = foldersOf(event);
  return event.standsForMove !== true && (about.length === 0 || about.some((id) => isChosen(folders, id)));
};
