import type { Email } from "./email.ts";

export type Flags = Partial<Pick<Email, "unread" | "flagged" | "answered">>;

/**
 * Changes that lists show before the service has made them: flags by message id, or null for a message that was moved
 * or deleted. The null entries stay, because an id never returns: a message that is moved back gets a new id.
 */
const pending = new Map<string, Flags | null>();

/** Returns messages as they are shown: with pending flags, and without removed messages. */
export const asChanged = (emails: ReadonlyArray<Email>): ReadonlyArray<Email> =>
  pending.size === 0
    ? emails
    : emails.flatMap((email) => {
        const change = pending.get(email.id);
        return change === undefined ? [email] : change === null ? [] : [{ ...email, ...change }];
      });

/** Adds a change of messages. The returned function removes it: for these messages, or for all. */
export const expectChange = (ids: Iterable<string>, change: Flags | null): ((settled?: Iterable<string>) => void) => {
  const expected = [...ids];
  for (const id of expected) pending.set(id, change === null ? null : { ...pending.get(id), ...change });
  return (settled = expected) => {
    for (const id of settled) pending.delete(id);
  };
};
