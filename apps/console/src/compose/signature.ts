import type { Identity } from "./fields/identities.ts";
import type { Message } from "../mail/emails/message.ts";
import type { Draft } from "./draft/draft.ts";
import { plainText } from "./text/plain-text.ts";
import { signatureHtml, withSignature } from "./text/rich-text.ts";
import { safeFragment } from "./text/safe-html.ts";

/** The mark of a signature in plain text (RFC 3676, 4.3). */
const MARK = "-- \n";

const blockOf = (identity: Identity | undefined): string =>
  identity === undefined || identity.signatureText.trim() === ""
    ? ""
    : `\n\n${MARK}${identity.signatureText.trimEnd()}`;

/** Returns a text with the sender's signature before its quoted part, in place of another sender's signature. */
export const signText = (text: string, sender: Identity | undefined, before?: Identity): string => {
  const old = blockOf(before);
  if (old !== "" && text.includes(old)) return text.replace(old, () => blockOf(sender));
  return `${blockOf(sender)}${text}`;
};

/** Returns the identity with which a draft is sent; undefined if `from` names no identity. */
export const senderOf = (from: Draft["from"], identities: ReadonlyArray<Identity>): Identity | undefined => {
  if (from === null) return identities.find(({ isDefault }) => isDefault);
  const name = (typeof from === "string" ? from : from.address).toLowerCase();
  return identities.find(({ id, address }) => id === name || id === from || address.toLowerCase() === name);
};

/**
 * Returns the identity to which a message was addressed, so that the answer is sent from that identity; undefined for
 * the default identity.
 */
export const addressee = (message: Message, identities: ReadonlyArray<Identity>): Identity | undefined => {
  const named = new Set([...message.to, ...message.cc].map(({ address }) => address.toLowerCase()));
  const found = identities.filter(({ verified, address }) => verified && named.has(address.toLowerCase()));
  return found.some(({ isDefault }) => isDefault) ? undefined : found[0];
};

/** Returns the text of a draft with the signature of another sender. */
export const changeSignature = (
  { html, text }: Draft,
  sender: Identity,
  before: Identity | undefined,
): Pick<Draft, "html" | "text"> => {
  if (html === null) return { html, text: signText(text, sender, before) };
  const changed = withSignature(html, signatureHtml(sender.signatureText, sender.signatureHtml));
  return { html: changed, text: plainText(safeFragment(changed)) };
};
