import { Result } from "effect";
import * as Base64Url from "effect/encoding/Base64Url";

declare const btoa: (bytes: string) => string;

/** The header fields that refer to other messages (RFC 5322, 3.6.4), unparsed. */
export interface RelationFields {
  readonly messageId: string | null;
  readonly inReplyTo: string;
  readonly references: string;
}

const MESSAGE_ID = /<[^<>\s"\\\p{Cc}\uFFFD]{1,180}>/u;

/** The maximum length of a threadId in a request. */
const MAX_CHARS = 255;

const PREFIX = "t_";

/**
 * Returns the threadId of a message on a server without threadIds: the encoded Message-ID of the message that began the
 * conversation. This is the first Message-ID in References, or else in In-Reply-To, or else the message's own. Null if
 * there is no Message-ID, or if the Message-ID is too long.
 */
export const deriveThreadId = ({ messageId, inReplyTo, references }: RelationFields): string | null => {
  const found = MESSAGE_ID.exec(references) ?? MESSAGE_ID.exec(inReplyTo) ?? MESSAGE_ID.exec(messageId ?? "");
  if (found === null) return null;
  const id = PREFIX + encode(found[0].slice(1, -1));
  return id.length > MAX_CHARS ? null : id;
};

const ASCII = /^[!-~]*$/;

/** `btoa` is five times as fast for ASCII, but would encode other text as Latin-1. */
const encode = (text: string): string =>
  ASCII.test(text) ? btoa(text).replace(/=+$/, "").replaceAll("+", "-").replaceAll("/", "_") : Base64Url.encode(text);

/** Returns the Message-ID of a derived threadId; null for an id of a mail server. */
export const rootOfThread = (threadId: string): string | null => {
  if (!threadId.startsWith(PREFIX)) return null;
  const inner = Base64Url.decodeString(threadId.slice(PREFIX.length));
  if (Result.isFailure(inner)) return null;
  const root = `<${inner.success}>`;
  return MESSAGE_ID.exec(root)?.[0] === root ? root : null;
};
