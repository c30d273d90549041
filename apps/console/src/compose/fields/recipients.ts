import { t } from "../../texts/text.ts";

/** A person to write to. */
export interface Person {
  readonly name: string;
  readonly address: string;
}

/** Returns the recipients in a text. They are separated by commas or semicolons outside quotes and angle brackets. */
export const splitRecipients = (text: string): ReadonlyArray<string> => {
  const entries: Array<string> = [""];
  let isQuoted = false;
  let isAddress = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (!isQuoted && (character === "<" || character === ">")) isAddress = character === "<";
    if (/[,;\n]/.test(character) && !isQuoted && !isAddress) entries.push("");
    else entries.push(entries.pop()! + character);
  }
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
};

/** Returns the address of a recipient; the whole text if it contains no address. */
export const addressOf = (recipient: string): string =>
  /<([^<>]*)>\s*$/.exec(recipient)?.[1]?.trim() ?? recipient.trim();

export const isRecipient = (recipient: string): boolean => /^[^\s@]+@[^\s@]+$/.test(addressOf(recipient));

/** Returns the fault of a recipient field: the recipients without an address. */
export const recipientsFault = (text: string): string | undefined => {
  const wrong = splitRecipients(text).filter((recipient) => !isRecipient(recipient));
  return wrong.length === 0 ? undefined : t("No e-mail address: {recipients}", { recipients: wrong.join(t(", ")) });
};

/** Returns the displayed name of a recipient, or else the address. */
export const shownAs = (recipient: string): string => {
  const name = recipient.replace(/<[^<>]*>\s*$/, "").trim();
  if (name === "" || name === recipient.trim()) return addressOf(recipient);
  return name.replaceAll(/^"|"$/g, "").replaceAll(/\\(.)/g, "$1");
};

/** Returns the contacts, followed by the people of received mail who are not contacts. */
export const withContacts = (contacts: ReadonlyArray<Person>, people: ReadonlyArray<Person>): ReadonlyArray<Person> => {
  const known = new Set(contacts.map(({ address }) => address.toLowerCase()));
  return [...contacts, ...people.filter(({ address }) => !known.has(address.toLowerCase()))];
};

const MAX_SHOWN = 6;

/** Returns the people whose name or address has a word that begins with the text, in the given order. */
export const matchPeople = (
  people: ReadonlyArray<Person>,
  typed: string,
  named: ReadonlyArray<string>,
): ReadonlyArray<Person> => {
  const text = typed.trim().toLowerCase();
  if (text === "") return [];
  const taken = new Set([...named.map((one) => addressOf(one).toLowerCase()), text]);
  const begins = ({ name, address }: Person): boolean =>
    [name, address, ...name.split(/\s+/), ...address.split(/[@.]/)].some((word) => word.toLowerCase().startsWith(text));
  return people.filter((one) => begins(one) && !taken.has(one.address.toLowerCase())).slice(0, MAX_SHOWN);
};
