const FIELD = /^(?:message-id|in-reply-to|references)[ \t]*:((?:[^\r\n]|\r?\n[ \t])*)/gim;

const MESSAGE_ID = /<[^<>\s"\\]{1,250}>/g;

/** Message-IDs asked for at a time: the first of a conversation, and the latest. */
const MOST = 12;

/** The Message-IDs a header bears or refers to. */
export const relatedIds = (header: Uint8Array): ReadonlyArray<string> => {
  const text = Array.from(header, (byte) => String.fromCharCode(byte)).join("");
  const all = [...text.matchAll(FIELD)].flatMap(([, value]) => value!.match(MESSAGE_ID) ?? []);
  return someOf([...new Set(all)]);
};

/** The first, which every answer should name, and the latest. */
export const someOf = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  ids.length <= MOST ? ids : [ids[0]!, ...ids.slice(1 - MOST)];
