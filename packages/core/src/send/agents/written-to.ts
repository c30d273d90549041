import { Clock, Duration, Effect, Option, Stream } from "effect";
import { Folders } from "../../folders/index.ts";
import type { MailboxAccessError } from "../../mail/index.ts";
import { type MessagePlace, MessageReader, MessageSearch, type SearchCriteria } from "../../messages/index.ts";
import { firstAndLatest } from "../../messages/neighbours.ts";
import type { AccountId } from "../../shared/index.ts";
import { latin1Text } from "../../shared/neighbours.ts";
import { AGENT_HEADER, FINISHED_LIFETIME } from "../limits.ts";
import { OutgoingJournal } from "../ports/OutgoingJournal.ts";
import { recipientKey } from "./judge-sending.ts";

/** The number of the newest messages in Sent that are read for one decision. */
const MAX_READ = 20;

const AGENT_FIELD = new RegExp(`^${AGENT_HEADER}[ \\t]*:`, "im");

/** The ports that know the owner's sent mail. */
export const sentMail = Effect.all({
  folders: Folders,
  search: MessageSearch,
  reader: MessageReader,
  journal: OutgoingJournal,
});
export type SentMail = Effect.Success<typeof sentMail>;

/** Returns the recipients of a message in Sent; none if an agent sent the message without an approval, or if it is gone. */
const readRecipients = ({ reader }: SentMail, account: AccountId, place: MessagePlace) =>
  reader.open(account, place).pipe(
    Effect.map(({ header, summary: { to, cc } }) =>
      AGENT_FIELD.test(latin1Text(header)) ? [] : [...to, ...cc].map(({ address }) => recipientKey(address)),
    ),
    Effect.scoped,
    Effect.catchTag("MessageNotFound", () => Effect.succeed<ReadonlyArray<string>>([])),
  );

const readSent = Effect.fnUntraced(function* (mail: SentMail, account: AccountId, criteria: SearchCriteria) {
  const paths = (yield* mail.folders.list(account)).flatMap(({ role, path }) => (role === "sent" ? [path] : []));
  const finds = yield* mail.search.find(account, paths, criteria).pipe(
    Stream.runCollect,
    Effect.catchTag("SearchCharsetRefused", () => Effect.succeed([])),
  );
  const places = finds.flatMap(([path, found]) =>
    found === null ? [] : found.uids.slice(-MAX_READ).map((uid) => ({ path, uidValidity: found.uidValidity, uid })),
  );
  return (yield* Effect.forEach(places, (place) => readRecipients(mail, account, place))).flat();
});

/** Returns the recipients of the owner's messages in the journal that refer to these Message-IDs. */
const readJournaled = Effect.fnUntraced(function* (
  { journal }: SentMail,
  account: AccountId,
  addresses: ReadonlyArray<string>,
  ids: ReadonlySet<string>,
) {
  const since = (yield* Clock.currentTimeMillis) - Duration.toMillis(FINISHED_LIFETIME);
  const messages = yield* journal.findSentTo(account, addresses, since);
  const read = yield* Effect.forEach(messages, ({ id, messageId }) =>
    Effect.map(journal.contents(id), (found) =>
      Option.match(found, {
        // The contents of a finished message are deleted after its copy is in Sent.
        onNone: () => [],
        onSome: ({ headers, inReplyTo, references, to, cc }) =>
          !headers.some(([name]) => name === AGENT_HEADER) &&
          [messageId, inReplyTo, ...references].some((one) => one !== null && ids.has(one))
            ? [...to, ...cc].map(({ address }) => recipientKey(address))
            : [],
      }),
    ),
  );
  return read.flat();
});

/**
 * Returns the addresses to which the owner of a mailbox, or a person by an approval, wrote in the conversation with
 * these Message-IDs (spec 13.1). The sources are the journal and the folder Sent, into which agents cannot put
 * messages. Messages by others do not count.
 */
export const writtenInThread = Effect.fn("writtenInThread")(function* (
  mail: SentMail,
  account: AccountId,
  addresses: ReadonlyArray<string>,
  messageIds: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlySet<string>, MailboxAccessError> {
  if (messageIds.length === 0 || addresses.length === 0) return new Set();
  const journaled = yield* readJournaled(mail, account, addresses, new Set(messageIds));
  const sent = yield* readSent(mail, account, { related: firstAndLatest(messageIds) });
  return new Set([...journaled, ...sent]);
});

/** Returns which of these addresses the owner of a mailbox, or a person by an approval, wrote to before. */
export const writtenBefore = Effect.fn("writtenBefore")(function* (
  mail: SentMail,
  account: AccountId,
  addresses: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlySet<string>, MailboxAccessError> {
  const found = yield* Effect.forEach(addresses.slice(0, MAX_READ), (address) =>
    Effect.map(readSent(mail, account, { to: address }), (known) => known.includes(recipientKey(address))),
  );
  return new Set(addresses.filter((_, n) => found[n] === true).map(recipientKey));
});
