/** A node of a message's MIME tree, from IMAP's BODYSTRUCTURE (RFC 9051, 7.5.2). */
export interface BodyPart {
  /** The section number, such as `2.1`; empty for a multipart that is the whole message. */
  readonly section: string;
  /** The media type in lower case, without parameters; `text/plain` if the type cannot be read. */
  readonly type: string;
  /** Parameters of Content-Type: `charset`, `format`, `delsp`; names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Content-Transfer-Encoding in lower case. */
  readonly encoding: string;
  /** Decoded size in bytes, estimated from the encoded size. */
  readonly size: number;
  readonly name: string | null;
  readonly disposition: string | null;
  /** Content-ID without its angle brackets. */
  readonly contentId: string | null;
  /** The parts of a multipart; the parts of a forwarded message are not included. */
  readonly parts: ReadonlyArray<BodyPart>;
}

/** Returns the leaves of a MIME tree in order. */
export const leavesOf = (structure: BodyPart): ReadonlyArray<BodyPart> => {
  const leaves: Array<BodyPart> = [];
  const waiting = [structure];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (part.type.startsWith("multipart/")) waiting.push(...part.parts.toReversed());
    else leaves.push(part);
  }
  return leaves;
};
