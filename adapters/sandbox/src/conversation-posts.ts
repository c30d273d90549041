import { momentOf, newMessageId } from "./chance.ts";
import { type Composition, headerDate } from "./letters/compose.ts";
import type { Conversation, Letter } from "./letters/Conversation.ts";
import { FILES } from "./letters/files.ts";
import { letterHtml } from "./letters/html.ts";
import { PEOPLE, type PersonId } from "./letters/people.ts";
import type { Post } from "./letters/Post.ts";

const DAY = 24 * 3600_000;

/** Returns the letters of a conversation, each a reply to the one before. */
export const conversationPosts = (
  { subject, daysAgo, folder = "INBOX", letters }: Conversation,
  now: number,
  chance: () => number,
): ReadonlyArray<Post> => {
  const messages: Array<Composition> = [];
  let at = momentOf(now, daysAgo, chance);
  return letters.map((letter, n) => {
    at += (letter.hours ?? 0) * 3600_000 + Math.floor(chance() * 1500) * 1000;
    const message = messageOf(
      letter,
      recipientsOf(letters, n),
      at,
      subject,
      messages,
      newMessageId(PEOPLE[letter.by].address, chance),
    );
    messages.push(message);
    const others = [...(letter.to ?? []), ...(letter.cc ?? []), ...recipientsOf(letters, n)];
    const friendFolder = letter.by === "sam" ? "Sent" : others.includes("sam") ? "INBOX" : undefined;
    return {
      message,
      folder: letter.by === "robin" ? "Sent" : folder,
      flags: flagsOf(letter, letters[n + 1]?.by === "robin", now - at > 3 * DAY || chance() < 0.3),
      ...(friendFolder === undefined ? {} : { friendFolder }),
    };
  });
};

const recipientsOf = (letters: ReadonlyArray<Letter>, n: number): ReadonlyArray<PersonId> => {
  const { by, to } = letters[n]!;
  if (to !== undefined) return to;
  if (by !== "robin") return ["robin"];
  const partner = letters.slice(0, n).findLast((letter) => letter.by !== "robin");
  return [partner?.by ?? letters.find((letter) => letter.by !== "robin")!.by];
};

const flagsOf = (letter: Letter, isAnswered: boolean, wasRead: boolean): ReadonlyArray<string> => [
  ...(letter.by === "robin" || isAnswered || wasRead ? ["\\Seen"] : []),
  ...(isAnswered ? ["\\Answered"] : []),
  ...(letter.flagged === true ? ["\\Flagged"] : []),
];

const messageOf = (
  letter: Letter,
  to: ReadonlyArray<PersonId>,
  sentAt: number,
  subject: string | null,
  before: ReadonlyArray<Composition>,
  id: string,
): Composition => {
  const { by, cc, files, rich, charset, encoding } = letter;
  const last = before.at(-1);
  const text = last === undefined ? letter.text : `${letter.text}\n\n${quotation(last)}`;
  return {
    from: PEOPLE[by],
    to: to.map((person) => PEOPLE[person]),
    ...(cc === undefined ? {} : { cc: cc.map((person) => PEOPLE[person]) }),
    subject: last === undefined || subject?.startsWith("Re: ") === true ? subject : `Re: ${subject ?? ""}`.trim(),
    id,
    ...(last === undefined ? {} : { inReplyTo: last.id, references: before.map((message) => message.id) }),
    sentAt,
    text: `${text}\n`,
    ...(rich === undefined ? {} : { html: letterHtml(text, rich) }),
    ...(files === undefined ? {} : { files: () => files.map((file) => FILES[file](sentAt)) }),
    ...(charset === undefined ? {} : { charset }),
    ...(encoding === undefined ? {} : { encoding }),
  };
};

/** Returns the quoted reply text without its own quotations. */
const quotation = ({ from, sentAt, text }: Composition): string => {
  const said = text.split("\n\nOn ")[0]!.trimEnd().split("\n");
  return [`On ${headerDate(sentAt)}, ${from.name} wrote:`, ...said.map((line) => `> ${line}`.trimEnd())].join("\n");
};
