const FIELD = /^(?:message-id|in-reply-to|references)[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/gim;

const MESSAGE_ID = /<[^<>\s"\\]{1,250}>/g;

/** Message-IDs asked for at a time: the first of a conversation, and the latest. */
const MOST = 12;

/** The Message-IDs a header bears or refers to. */
export const relatedIds = (header: Uint8Array): ReadonlyArray<string> => {
  const text = Array.from(header, (byte) => String.fromCharCode(byte)).join("");
  const all = [...text.matchAll(FIELD)].flatMap(([, value]) => value!.match(MESSAGE_ID) ?? []);
  return firstAndLatest([...new Set(all)]);
};

/** The first, which every answer should name, and the latest. */
export const firstAndLatest = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.length <= MOST ? ids : [ids[0]!, ...ids.slice(1 - MOST)];

/** What an answer to a message says of it (RFC 5322, 3.6.4). */
export interface AnswerFields {
  readonly inReplyTo: string | null;
  readonly references: ReadonlyArray<string>;
}

/** Message-IDs that an answer names at most. */
const MOST_REFERENCES = 100;

/** The fields of an answer to the message with this header: what it refers to, and itself. */
export const answerFields = (header: Uint8Array): AnswerFields => {
  const text = Array.from(header, (byte) => String.fromCharCode(byte)).join("");
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
      references.length <= MOST_REFERENCES ? references : [references[0]!, ...references.slice(1 - MOST_REFERENCES)],
  };
};
