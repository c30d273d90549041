import type { Email } from "./emails.ts";

type Person = Email["to"][number];

export const personName = ({ name, address }: Person): string => (name === "" ? address : name);

/** Returns `Name <address>`, with the name quoted if needed (RFC 5322). */
export const mailbox = ({ name, address }: Person): string =>
  name === ""
    ? address
    : `${/^[\p{L}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name) ? name : JSON.stringify(name)} <${address}>`;

/** Returns the sender of a listed message, or in folders of the user's own mail its recipients. */
export const correspondent = (email: Email, isOurs: boolean): string => {
  if (isOurs) return email.to.length === 0 ? "No recipient" : `To ${email.to.map(personName).join(", ")}`;
  return email.fromName || email.from || "Unknown sender";
};

export const subjectOf = ({ subject }: Pick<Email, "subject">): string => subject.trim() || "No subject";
