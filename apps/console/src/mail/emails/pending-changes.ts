import type { Email } from "./email.ts";

export type Flags = Partial<Pick<Email, "unread" | "flagged" | "answered" | "labels">>;

/** The flags by message id that lists show before the service has stored them. */
const pending = new Map<string, Flags>();

/**
 * The locations at which moved or deleted messages were listed, by id. An id stays when its message moves, so lists
 * omit the message only at its old location; a message that is moved back has another UID there.
 */
const taken = new Map<string, ReadonlySet<string>>();

const placeOf = ({ uid, folder }: Email): string => `${uid} ${folder}`;

/** Returns messages as lists show them: with pending flags, and without messages that were moved away or deleted. */
export const applyPendingChanges = (emails: ReadonlyArray<Email>): ReadonlyArray<Email> =>
  pending.size + taken.size === 0
    ? emails
    : emails.flatMap((email) => {
        if (taken.get(email.id)?.has(placeOf(email)) === true) return [];
        const change = pending.get(email.id);
        return change === undefined ? [email] : [{ ...email, ...change }];
      });

/** Adds a change of messages. The returned function removes it. */
export const expectFlags = (ids: Iterable<string>, change: Flags): (() => void) => {
  const expected = [...ids];
  for (const id of expected) pending.set(id, { ...pending.get(id), ...change });
  return () => {
    for (const id of expected) pending.delete(id);
  };
};

/** Omits messages at the locations where they are listed. The returned function stops that for some of them. */
export const expectRemoval = (emails: ReadonlyArray<Email>): ((putBack: Iterable<string>) => void) => {
  for (const email of emails) taken.set(email.id, new Set([...(taken.get(email.id) ?? []), placeOf(email)]));
  return (putBack) => {
    for (const id of putBack) taken.delete(id);
  };
};
