import type { Email } from "./emails.ts";
import { t } from "../../texts/text.ts";

type Person = Email["to"][number];

export const personName = ({ name, address }: Person): string => (name === "" ? address : name);

/** Returns `Name <address>`, with the name quoted if needed (RFC 5322). */
export const mailbox = ({ name, address }: Person): string =>
  name === ""
    ? address
    : `${/^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : JSON.stringify(name)} <${address}>`;

export const addressList = (people: ReadonlyArray<Person>): string => people.map(mailbox).join(", ");

/** Returns the people of a field; a message has only the first ones, and `count` is the number of all. */
export const mailboxes = (people: ReadonlyArray<Person>, count: number): string =>
  count > people.length
    ? t("{names} and {count, plural, one {# other} other {# others}}", {
        names: addressList(people),
        count: count - people.length,
      })
    : addressList(people);

export const personNames = (people: ReadonlyArray<Person>): string => people.map(personName).join(t(", "));

const senderName = ({ fromName, from }: Email): string => fromName || from || t("Unknown sender");

const MAX_NAMED = 3;

/** Returns the first of several names, with the number of the other names. */
export const firstNames = (all: ReadonlyArray<string>): string => {
  const names = all.slice(0, MAX_NAMED).join(t(", "));
  const count = all.length - MAX_NAMED;
  return count > 0 ? t("{names} and {count, plural, other {# more}}", { names, count }) : names;
};

/** Returns the senders of listed messages, each once; in folders of the user's own mail, returns the recipients. */
export const participants = (emails: ReadonlyArray<Email>, isOurs: boolean): string => {
  const names = emails.map((email) => (isOurs ? personNames(email.to) : senderName(email)));
  return firstNames([...new Set(names)].filter((one) => one !== ""));
};

export const subjectOf = ({ subject }: Pick<Email, "subject">): string => subject.trim() || t("No subject");
