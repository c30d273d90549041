import { type Address, addressKey, type MessageSummary } from "../../mail/index.ts";
import type { Contact } from "./Contact.ts";

/** A person in a sent message, and when it was sent in epoch milliseconds. */
export interface WrittenTo extends Address {
  readonly at: number;
}

/** The longest address that is kept; no mail server takes a longer one. */
const MAX_ADDRESS_CHARS = 320;

/** Returns the people to whom sent messages went, by the keys of their addresses: the newest mention, with the newest name. */
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
 * older one adds at most a name. A forgotten contact returns only with a message from after that.
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
