import { type Address, addressKey, type MessageSummary } from "../../mail/index.ts";
import type { Contact } from "./Contact.ts";

/** A recipient of a sent message, and the time of sending in epoch milliseconds. */
export interface WrittenTo extends Address {
  readonly at: number;
}

/** The maximum length of a stored address; no mail server accepts a longer one. */
const MAX_ADDRESS_CHARS = 320;

/** Returns the recipients of sent messages by the keys of their addresses: the newest mention, with the newest name. */
export const peopleIn = (messages: ReadonlyArray<MessageSummary>): ReadonlyMap<string, WrittenTo> => {
  const people = new Map<string, WrittenTo>();
  for (const { to, cc, arrivedAt } of messages.toSorted((one, other) => one.arrivedAt - other.arrivedAt)) {
    for (const { name, address } of [...to, ...cc]) {
      const key = addressKey(address);
      if (!/^[^\s@]+@[^\s@]+$/.test(key) || key.length > MAX_ADDRESS_CHARS || key.includes("\0")) continue;
      const known = people.get(key)?.name ?? "";
      people.set(key, { name: name === "" ? known : name.replaceAll("\0", ""), address, at: arrivedAt });
    }
  }
  return people;
};

/**
 * Returns a contact after a message to it was found; null if nothing changes. Messages are found in any order, so an
 * older message can only add a name. A forgotten contact returns only with a message sent after it was forgotten.
 */
export const remember = (contact: Contact, { name, at }: WrittenTo): Contact | null => {
  if (contact.forgottenAt !== null && at <= contact.forgottenAt) return null;
  const isNewer = at > contact.lastWrittenAt;
  const next = {
    ...contact,
    name: name !== "" && (isNewer || contact.name === "") ? name : contact.name,
    lastWrittenAt: Math.max(at, contact.lastWrittenAt),
    forgottenAt: null,
  };
  const isSame = next.name === contact.name && !isNewer && contact.forgottenAt === null;
  return isSame ? null : next;
};
