import { FolderNotFound, FolderNotSelectable } from "@postern/core/mail";
import { MessageNotFound, MessageSearch, type SearchCriteria } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import { decodeWords } from "postal-mime";
import { headerFields, splitEntity } from "../mail/header-fields.ts";
import { mimeSections, type MimeSection } from "../mail/mime-sections.ts";
import { signedIn } from "../mail/signed-in.ts";
import type { StoredMessage } from "../mail/StoredMessage.ts";
import { decodedBody } from "../mail/transfer-encodings.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Searches the mailboxes of a `MailWorld`, whose days are those of UTC. */
export const layer = Layer.effect(
  MessageSearch,
  Effect.map(signedIn, (signedIn) => ({
    find: Effect.fnUntraced(function* (id, path, criteria) {
      const named = (yield* signedIn(id)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      if (named.mailbox === null) return yield* new FolderNotSelectable();
      const found = named.mailbox.messages.filter(matcher(criteria));
      return {
        uidValidity: named.mailbox.uidValidity,
        uids: found.map(({ uid }) => uid),
        unread: found.filter(({ flags }) => !flags.has("\\Seen")).length,
      };
    }),
    summaries: Effect.fnUntraced(function* (id, { path, uidValidity }, uids) {
      const mailbox = (yield* signedIn(id)).find(path)?.mailbox;
      if (!mailbox || mailbox.uidValidity !== uidValidity) return yield* new MessageNotFound();
      const wanted = new Set(uids);
      return mailbox.messages.filter(({ uid }) => wanted.has(uid)).map(({ summary }) => summary);
    }),
  })),
);

/** A criterion without a test here is an error of the caller and throws, as at a mail server. */
const matcher = (criteria: SearchCriteria) => {
  const tests = Object.entries(criteria).flatMap(([name, wanted]) => {
    const test = TESTS[name as keyof SearchCriteria] as ((searched: Searched, wanted: unknown) => boolean) | undefined;
    if (test === undefined) throw new TypeError(`${name} is no search criterion`);
    return wanted === undefined ? [] : [(searched: Searched) => test(searched, wanted)];
  });
  return (message: StoredMessage): boolean => {
    const { header, body } = splitEntity(Buffer.from(message.raw).toString("latin1"));
    const searched = { message, body, fields: headerFields(header) };
    return tests.every((test) => test(searched));
  };
};

interface Searched {
  readonly message: StoredMessage;
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

type Tests = {
  readonly [K in keyof SearchCriteria]-?: (searched: Searched, wanted: NonNullable<SearchCriteria[K]>) => boolean;
};

const TESTS: Tests = {
  from: ({ fields }, wanted) => has(fields, "from", wanted),
  to: ({ fields }, wanted) => has(fields, "to", wanted),
  subject: ({ fields }, wanted) => has(fields, "subject", wanted),
  text: ({ fields, body }, wanted) =>
    [...fields.values()].some((value) => contains(decodeWords(value), wanted)) ||
    mimeSections({ fields, body }).some((section) => contains(textOf(section), wanted)),
  since: ({ message }, day) => dayOf(message) >= Date.parse(day),
  before: ({ message }, day) => dayOf(message) < Date.parse(day),
  unread: ({ message }, wanted) => message.flags.has("\\Seen") !== wanted,
  flagged: ({ message }, wanted) => message.flags.has("\\Flagged") === wanted,
  hasAttachments: ({ message }, wanted) => message.summary.attachments.length > 0 === wanted,
  larger: ({ message }, bytes) => message.raw.length > bytes,
  smaller: ({ message }, bytes) => message.raw.length < bytes,
  threadId: () => false,
  related: ({ fields }, ids) =>
    ids.some((id) => ["message-id", "references", "in-reply-to"].some((name) => has(fields, name, id))),
};

const dayOf = ({ arrivedAt }: StoredMessage): number => Math.floor(arrivedAt / DAY) * DAY;

const has = (fields: ReadonlyMap<string, string>, name: string, wanted: string): boolean =>
  contains(decodeWords(fields.get(name) ?? ""), wanted);

const contains = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

const textOf = ({ type, fields, body }: MimeSection): string => {
  if (!type.value.startsWith("text/")) return "";
  const bytes = decodedBody(body, fields.get("content-transfer-encoding") ?? "7bit");
  try {
    return new TextDecoder(type.parameters.get("charset") ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
};
