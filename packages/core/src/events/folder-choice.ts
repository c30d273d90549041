import type { EventType } from "./event-types.ts";
import type { MailEvent } from "./MailEvent.ts";

/** The ids of the folders whose events a reader gets (spec 7.11); `*` means all folders except Junk and Trash. */
export type FolderChoice = ReadonlyArray<string>;

/** The choice of an endpoint or a stream that names no folders. */
export const INBOX_ALONE: FolderChoice = ["inbox"];

/** The choice of a feed that names no folders. */
const EVERY_FOLDER: FolderChoice = ["*"];

/** Returns the folders in a list with commas. */
export const foldersIn = (text: string | undefined): FolderChoice =>
  text === undefined ? EVERY_FOLDER : text.split(",");

/** Types of events about messages in folders. In releases without folders, they were about INBOX. */
const OF_MESSAGES: ReadonlyArray<EventType> = ["email.received", "email.deleted", "email.flags_changed"];

const foldersOf = ({ type, folders }: MailEvent): ReadonlyArray<string> =>
  folders ?? (OF_MESSAGES.includes(type) ? INBOX_ALONE : []);

/** Whether a folder is in a choice. */
export const isChosen = (choice: FolderChoice, id: string): boolean =>
  choice.includes(id) || (choice.includes("*") && id !== "junk" && id !== "trash");

/**
 * Whether an endpoint or a stream is told of an event, by its folders and its types (null: all). A reader that is told of
 * a move itself is not told of the events that stand for it.
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

/** Whether an event is in a feed of these folders. A feed has moves from and to each of them, and nothing in their place. */
export const isInFeed = (folders: FolderChoice, event: MailEvent): boolean => {
  const about = foldersOf(event);
  return event.standsForMove !== true && (about.length === 0 || about.some((id) => isChosen(folders, id)));
};
