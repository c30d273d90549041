import { MailServerError, foldLabel, keywordOf, labelsOf } from "@postern/core/mail";
import { LabelsNotSupported } from "@postern/core/messages";
import { Effect } from "effect";
import { permissionFailure } from "../connection/imap-failure.ts";
import type { ImapFlow } from "imapflow";
import { openMailbox } from "../selecting/open-mailbox.ts";

/** Returns whether the labels are Gmail's (X-GM-LABELS). Keywords are not shown as labels then. */
export const hasGmailLabels = ({ capabilities }: ImapFlow): boolean => capabilities.has("X-GM-EXT-1");

/**
 * Returns the keywords of the open mailbox that match a label in any case; empty if there are none. A command must name
 * no other keyword, because Dovecot would list that keyword from then on. Gmail's labels are not listed.
 */
export const knownKeywords = (client: ImapFlow, label: string): ReadonlyArray<string> => {
  if (client.mailbox === false || client.mailbox.flags === undefined || hasGmailLabels(client))
    return ownKeyword(label);
  const folded = foldLabel(label);
  const { flags, permanentFlags } = client.mailbox;
  return [...new Set([...flags, ...(permanentFlags ?? [])])].filter((keyword) =>
    labelsOf([keyword]).some((one) => foldLabel(one) === folded),
  );
};

/** Returns the keyword with which to add a label, in the mailbox's spelling if it has the label already. */
export const keywordToAdd = (client: ImapFlow, label: string): ReadonlyArray<string> => {
  const known = knownKeywords(client, label);
  return known.length > 0 ? known.slice(0, 1) : ownKeyword(label);
};

const ownKeyword = (label: string): ReadonlyArray<string> => {
  const keyword = keywordOf(label);
  return keyword === null ? [] : [keyword];
};

/** Returns the labels of a mailbox. At Gmail, the folder itself is the label, except for Gmail's own folders. */
export const listLabels = Effect.fnUntraced(function* (client: ImapFlow, path: string, timeout: number) {
  if (hasGmailLabels(client)) return path === "INBOX" || /^\[(?:Gmail|Google Mail)\]/.test(path) ? [] : [path];
  return labelsOf((yield* openMailbox(client, path, timeout)).flags ?? []);
});

/**
 * Fails unless the open mailbox can store these keywords. A server may answer OK to a STORE and drop its keyword. Only
 * the response to SELECT tells whether the server accepts new keywords (`\*`).
 */
export const checkLabels = (
  client: ImapFlow,
  keywords: ReadonlyArray<string>,
): Effect.Effect<void, LabelsNotSupported | MailServerError> =>
  Effect.suspend((): Effect.Effect<void, LabelsNotSupported | MailServerError> => {
    if (client.mailbox === false) return Effect.void;
    const { path, readOnly, permanentFlags } = client.mailbox;
    if (readOnly === true) return permissionFailure("store", `${path} is read-only`);
    if (hasGmailLabels(client)) return Effect.void;
    if (permanentFlags === undefined || permanentFlags.has("\\*")) return Effect.void;
    const kept = new Set([...permanentFlags].map((flag) => flag.toLowerCase()));
    return keywords.every((keyword) => kept.has(keyword.toLowerCase()))
      ? Effect.void
      : Effect.fail(new LabelsNotSupported({ detail: null }));
  });

/** Returns the failure of a STORE with labels. A refusal without another reason counts as a refusal of the labels. */
export const labelsFailure = (error: MailServerError): MailServerError | LabelsNotSupported =>
  error.reason === "protocol" ? new LabelsNotSupported({ detail: error.detail }) : error;
