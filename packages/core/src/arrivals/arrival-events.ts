import { DateTime } from "effect";
import { type EventAccount, type EventData } from "../events/neighbours.ts";
import { type EventType, type MailEvent, writeEvent } from "../events/index.ts";
import { isAutomatic } from "../mail/index.ts";
import type { ArrivedMessage } from "../watch/index.ts";
import type { FollowedFolder } from "./FollowedFolder.ts";
import type { MailboxChange } from "../watch/neighbours.ts";

/** The location of a message in its events; `id` is the message id that clients use. */
export interface EventPlace {
  readonly id: string;
  /** The path of the folder. */
  readonly folder: string;
}

/** A change with the folder in which it happened; `from` is the folder that a moved message left. */
export interface PlacedChange {
  readonly change: MailboxChange<ArrivedMessage>;
  readonly folder: FollowedFolder;
  readonly from?: FollowedFolder | undefined;
}

const LISTED = 50;

/** Returns the event about a change in a mailbox (spec 7). If the message cannot be read, the event has empty fields. */
export const arrivalEvent = (
  eventId: string,
  account: EventAccount,
  { change, folder, from }: PlacedChange,
  id: string,
  now: number,
): MailEvent => {
  const place: EventPlace = { id, folder: folder.path };
  const folders = [folder.id, ...(from === undefined ? [] : [from.id])];
  const write = <Type extends EventType>(type: Type, data: EventData<Type>) =>
    writeEvent(eventId, account, type, now, data, { folders });
  if (folder.id === "drafts" && change._tag !== "Moved") return write("draft.changed", draftChanged(change, place));
  switch (change._tag) {
    case "Received":
      return folder.id === "sent"
        ? write("email.sent", filed(change.message, place))
        : write("email.received", receivedData(change.message, place, change));
    case "Moved":
      return write("email.moved", { ...receivedData(change.message, place), fromFolder: from?.path ?? "" });
    case "Deleted":
      return write("email.deleted", { ...place, uid: change.message.uid });
    case "FlagsChanged": {
      const { uid, unread, flagged, answered, labels } = change.message;
      const { changed } = change;
      return write("email.flags_changed", {
        ...place,
        uid,
        unread,
        flagged,
        answered,
        ...(labels === null ? {} : { labels }),
        changed,
      });
    }
  }
};

/** Returns the data of the event about a message that another program filed in Sent. */
const filed = (message: ArrivedMessage, place: EventPlace): EventData<"email.sent"> => {
  const { from, to, toCount, subject } = receivedData(message, place);
  const messageId = message.messageId ?? "";
  return { source: "mailbox", ...place, uid: message.uid, messageId, from, to, toCount, cc: [], ccCount: 0, subject };
};

const draftChanged = (
  { _tag, message }: MailboxChange<ArrivedMessage>,
  place: EventPlace,
): EventData<"draft.changed"> => ({
  ...place,
  uid: message.uid,
  messageId: message.messageId,
  subject: _tag === "Received" ? (message.summary?.subject ?? "") : "",
  ...(_tag === "Deleted" ? { removed: true as const } : {}),
});

/**
 * Returns the data of an arrival. `isReturned`: the message was in a followed folder before. `isBackfill`: the message
 * arrived while nothing followed the account.
 */
export const receivedData = (
  message: ArrivedMessage,
  { id, folder }: EventPlace,
  { isReturned, isBackfill }: { readonly isReturned?: boolean; readonly isBackfill?: boolean } = {},
): EventData<"email.received"> => {
  const { summary } = message;
  const to = summary?.to ?? [];
  return {
    uid: message.uid,
    from: summary?.from?.address ?? "",
    subject: summary?.subject ?? "",
    folder,
    id,
    messageId: message.messageId,
    fromName: summary?.from?.name ?? "",
    to: to.slice(0, LISTED).map(({ address }) => address),
    toCount: summary?.toCount ?? 0,
    date: DateTime.formatIso(DateTime.makeUnsafe(message.arrivedAt)),
    size: message.size,
    unread: message.unread,
    ...(isReturned === true ? { returned: true as const } : {}),
    ...(isBackfill === true ? { backfill: true as const } : {}),
    automatic: isAutomatic(message.fields),
    hasAttachments: (summary?.attachments.length ?? 0) > 0,
    ...((summary?.toCount ?? 0) > LISTED ? { truncated: true } : {}),
  };
};
