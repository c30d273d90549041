import type { Email } from "./emails.ts";

type Person = Email["to"][number];

export const personName = ({ name, address }: Person): string => (name === "" ? address : name);

/** Returns `Name <address>`, with the name quoted if needed (RFC 5322). */
export const mailbox = ({ name, address }: Person): string =>
  name === ""
    ? address
    : `${/^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : JSON.stringify(name)} <${address}>`;

/** Returns the people of a field, of which a message has only the first. */
export const mailboxes = (people: ReadonlyArray<Person>, count: number): string =>
  people.map(mailbox).join(", ") + (count > people.length ? ` and ${count - people.length} others` : "");

/** Returns the sender of a listed message, or in folders of the user's own mail its recipients. */
export const correspondent = (email: Email, isOurs: boolean): string => {
  if (isOurs) return email.to.length === 0 ? "No recipient" : `To ${email.to.map(personName).join(", ")}`;
  return email.fromName || email.from || "Unknown sender";
};

/** How many people of a conversation its row names. */
const MAX_NAMED = 3;

/** Returns the correspondents of messages, each once. */
export const participants = (emails: ReadonlyArray<Email>, isOurs: boolean): string => {
  const names = [...new Set(emails.map((email) => correspondent(email, isOurs)))];
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "";
  return names.slice(0, MAX_NAMED).join(", ") + more;
};

export const subjectOf = ({ subject }: Pick<Email, "subject">): string => subject.trim() || "No subject";
