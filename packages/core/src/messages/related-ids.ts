import { latin1Text } from "../shared/neighbours.ts";

const FIELD = /^(?:message-id|in-reply-to|references)[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/gim;

const MESSAGE_ID = /<[^<>\s"\\]{1,250}>/g;

/** The maximum number of Message-IDs per search. */
const MAX_IDS = 12;

/** Returns the Message-IDs that a header contains. */
export const relatedIds = (header: Uint8Array): ReadonlyArray<string> => {
  const text = latin1Text(header);
  const all = [...text.matchAll(FIELD)].flatMap(([, value]) => value!.match(MESSAGE_ID) ?? []);
  return firstAndLatest([...new Set(all)]);
};

/** Returns the first id, which every answer should contain, and the latest ids. */
export const firstAndLatest = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.length <= MAX_IDS ? ids : [ids[0]!, ...ids.slice(1 - MAX_IDS)];

/** The header fields of an answer (RFC 5322, 3.6.4). */
export interface AnswerFields {
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
}

/** The maximum number of Message-IDs in the References of an answer. */
const MAX_REFERENCES = 100;

/** Returns the fields of an answer to the message with this header. */
export const answerFields = (header: Uint8Array): AnswerFields => {
  const text = latin1Text(header);
  const idsOf = (name: string): ReadonlyArray<string> =>
    [...text.matchAll(FIELD)].flatMap(([field, value]) =>
      field.toLowerCase().startsWith(name) ? (value!.match(MESSAGE_ID) ?? []) : [],
    );
  const itself = idsOf("message-id")[0];
  if (itself === undefined) return { inReplyTo: null, references: [] };
  const before = idsOf("references").length > 0 ? idsOf("references") : idsOf("in-reply-to").slice(0, 1);
  const references = [...new Set([...before, itself])];
  return {
    inReplyTo: itself,
    references:
      references.length <= MAX_REFERENCES ? references : [references[0]!, ...references.slice(1 - MAX_REFERENCES)],
  };
};
