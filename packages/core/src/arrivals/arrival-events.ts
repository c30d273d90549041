import { DateTime } from "effect";
import { type EventAccount, type EventData } from "../events/neighbours.ts";
import { type EventType, type MailEvent, writeEvent } from "../events/index.ts";
import { isAutomatic } from "../mail/index.ts";
import type { ArrivedMessage } from "../watch/index.ts";
import type { MailboxChange } from "../watch/neighbours.ts";

/** The location of a message in its events; `id` is the message id that clients use. */
export interface EventPlace {
  readonly id: string;
  /** Path of the folder. */
  readonly folder: string;
}

const LISTED = 50;

/** Returns the event about a change in a mailbox (spec 7). If the message cannot be read, the event has empty fields. */
export const arrivalEvent = (
  id: string,
  account: EventAccount,
  change: MailboxChange<ArrivedMessage>,
  place: EventPlace,
  now: number,
): MailEvent => {
  const write = <Type extends EventType>(type: Type, data: EventData<Type>) => writeEvent(id, account, type, now, data);
  switch (change._tag) {
    case "Received":
      return write("email.received", received(change.message, place, change.isReturned === true));
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

const received = (
  message: ArrivedMessage,
  { id, folder }: EventPlace,
  isReturned: boolean,
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
    ...(isReturned ? { returned: true as const } : {}),
    automatic: isAutomatic(message.fields),
    hasAttachments: (summary?.attachments.length ?? 0) > 0,
    ...((summary?.toCount ?? 0) > LISTED ? { truncated: true } : {}),
  };
};
