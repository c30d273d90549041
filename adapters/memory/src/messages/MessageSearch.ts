import { type BodyPart, foldLabel, labelsOf, leavesOf } from "@postern/core/mail";
import { MessageSearch, type SearchCriteria } from "@postern/core/messages";
import { Effect, Layer, Stream } from "effect";
import { decodeWords } from "postal-mime";
import { type Entity, messageEntity } from "../mail/entity.ts";
import { messageStructure } from "../mail/message-structure.ts";
import { signedIn } from "../mail/signed-in.ts";
import type { StoredMessage } from "../mail/Mailbox.ts";
import { decodedBody } from "../mail/transfer-encodings.ts";

const DAY = 24 * 60 * 60 * 1000;

/** Searches the mailboxes of a `MailWorld`; days are in UTC. */
export const layer = Layer.effect(
  MessageSearch,
  Effect.map(signedIn, (signedIn) => ({
    find: (id, paths, criteria) =>
      Stream.mapEffect(
        Stream.fromIterable(paths),
        Effect.fnUntraced(function* (path) {
          const matches = matcher(criteria);
          const mailbox = (yield* signedIn(id)).find(path)?.mailbox;
          if (!mailbox) return [path, null] as const;
          if (mailbox.searchMillis > 0) yield* Effect.sleep(mailbox.searchMillis);
          const found = mailbox.messages.filter(matches);
          const unread = found.filter(({ flags }) => !flags.has("\\Seen"));
          const [uids, unseen] = [found, unread].map((some) => some.map(({ uid }) => uid));
          return [path, { uidValidity: mailbox.uidValidity, uids: uids!, unread: unseen! }] as const;
        }),
      ),
    emailIds: (_, asked) => Effect.succeed(asked.map(() => new Map())),
    arrivals: Effect.fnUntraced(function* (id, asked) {
      const mail = yield* signedIn(id);
      return asked.map(({ path, uidValidity, uids }) => {
        const mailbox = mail.find(path)?.mailbox;
        const found = mailbox?.uidValidity === uidValidity ? mailbox.messages : [];
        const wanted = new Set(uids);
        return new Map(found.filter(({ uid }) => wanted.has(uid)).map(({ uid, arrivedAt }) => [uid, arrivedAt]));
      });
    }),
    labels: Effect.fnUntraced(function* (id, paths) {
      const mail = yield* signedIn(id);
      return paths.flatMap((path) => labelsOf(mail.find(path)?.mailbox?.keywords ?? []));
    }),
    summaries: Effect.fnUntraced(function* (id, asked) {
      const mail = yield* signedIn(id);
      return asked.map(({ path, uidValidity, uids }) => {
        const mailbox = mail.find(path)?.mailbox;
        if (!mailbox || mailbox.uidValidity !== uidValidity) return [];
        const wanted = new Set(uids);
        return mailbox.messages.filter(({ uid }) => wanted.has(uid)).map(({ summary }) => summary);
      });
    }),
  })),
);

/** Returns a test for the criteria. Like the IMAP adapter, it throws for an unknown criterion, which is an error of the caller. */
const matcher = (criteria: SearchCriteria) => {
  const tests = Object.entries(criteria).flatMap(([name, wanted]) => {
    const test = TESTS[name as keyof SearchCriteria] as ((searched: Searched, wanted: unknown) => boolean) | undefined;
    if (test === undefined) throw new TypeError(`${name} is no search criterion`);
    return wanted === undefined ? [] : [(searched: Searched) => test(searched, wanted)];
  });
  return (message: StoredMessage): boolean => {
    const entity = messageEntity(message.raw);
    const searched = { message, entity, fields: entity.fields };
    return tests.every((test) => test(searched));
  };
};

interface Searched {
  readonly message: StoredMessage;
  readonly entity: Entity;
  readonly fields: Entity["fields"];
}

type Tests = {
  readonly [K in keyof SearchCriteria]-?: (searched: Searched, wanted: NonNullable<SearchCriteria[K]>) => boolean;
};

const TESTS: Tests = {
  from: ({ fields }, wanted) => has(fields, "from", wanted),
  to: ({ fields }, wanted) => has(fields, "to", wanted),
  subject: ({ fields }, wanted) => has(fields, "subject", wanted),
  cc: ({ fields }, wanted) => has(fields, "cc", wanted),
  messageId: ({ fields }, wanted) => has(fields, "message-id", wanted),
  headers: ({ fields }, wanted) => ["from", "to", "cc", "subject"].some((name) => has(fields, name, wanted)),
  text: ({ entity, fields }, wanted) =>
    [...fields.values()].some((value) => contains(decodeWords(value), wanted)) ||
    textsOf(entity).some((text) => contains(text, wanted)),
  since: ({ message }, day) => dayOf(message) >= Date.parse(day),
  before: ({ message }, day) => dayOf(message) < Date.parse(day),
  arrivedFrom: ({ message }, time) => message.arrivedAt >= time,
  arrivedBefore: ({ message }, time) => message.arrivedAt < time,
  unread: ({ message }, wanted) => message.flags.has("\\Seen") !== wanted,
  flagged: ({ message }, wanted) => message.flags.has("\\Flagged") === wanted,
  hasAttachments: ({ message }, wanted) => message.summary.attachments.length > 0 === wanted,
  label: ({ message }, wanted) => message.summary.labels.some((label) => foldLabel(label) === foldLabel(wanted)),
  larger: ({ message }, bytes) => message.raw.length > bytes,
  smaller: ({ message }, bytes) => message.raw.length < bytes,
  threadId: () => false,
  related: ({ fields }, ids) =>
    ids.some((id) => ["message-id", "references", "in-reply-to"].some((name) => has(fields, name, id))),
  terms: (searched, terms) => terms.every(({ field, text, isExcluded }) => TESTS[field](searched, text) !== isExcluded),
};

const dayOf = ({ arrivedAt }: StoredMessage): number => Math.floor(arrivedAt / DAY) * DAY;

const has = (fields: ReadonlyMap<string, string>, name: string, wanted: string): boolean =>
  contains(decodeWords(fields.get(name) ?? ""), wanted);

const contains = (text: string, wanted: string): boolean => text.toLowerCase().includes(wanted.toLowerCase());

const textsOf = (entity: Entity): ReadonlyArray<string> => {
  const { structure, bodies } = messageStructure(entity);
  const texts = leavesOf(structure).filter(({ type }) => type.startsWith("text/"));
  return texts.map((part) => textOf(part, bodies.get(part.section) ?? ""));
};

const textOf = ({ encoding, parameters }: BodyPart, body: string): string => {
  const bytes = decodedBody(body, encoding);
  try {
    return new TextDecoder(parameters["charset"] ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder("latin1").decode(bytes);
  }
};
