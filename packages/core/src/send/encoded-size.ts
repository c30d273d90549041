import { Result } from "effect";
import { MessageTooLarge } from "./errors.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";

/** Returns the base64 size in lines of 76 characters (RFC 2045, 6.8). */
const base64Size = (bytes: number): number => {
  const characters = Math.ceil(bytes / 3) * 4;
  return characters + Math.ceil(characters / 76) * 2;
};

const PART_HEADER_BYTES = 1024;

/** Returns an upper bound of a message's bytes on the wire, assuming the largest encoding of its text. */
export const encodedSize = (
  texts: ReadonlyArray<string>,
  headerText: string,
  attachments: ReadonlyArray<{ readonly size: number }>,
): number =>
  texts.reduce((sum, text) => sum + 3 * utf8Length(text) + PART_HEADER_BYTES, 0) +
  3 * utf8Length(headerText) +
  attachments.reduce((sum, { size }) => sum + base64Size(size) + PART_HEADER_BYTES, 4 * PART_HEADER_BYTES);

/** Fails for a message that is too large to send. A limit of the mail server is left to the attempt: it may have been raised. */
export const checkSize = (size: number): Result.Result<void, MessageTooLarge> =>
  size <= MAX_MESSAGE_BYTES
    ? Result.void
    : Result.fail(
        new MessageTooLarge({ detail: `a message may have at most ${MAX_MESSAGE_BYTES} bytes when it is encoded` }),
      );

/** Returns the length of a text in UTF-8 octets; a lone surrogate counts as U+FFFD. */
export const utf8Length = (text: string): number => {
  let octets = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    octets += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return octets;
};
