import type { Message } from "../mail/emails/message.ts";
import type { Identity } from "./fields/identities.ts";
import { answerHtml } from "./answer-html.ts";
import { restoreDraft } from "./draft/attachments.ts";
import { draftFrom, type DraftRecord, emptyDraft, type Way } from "./draft/draft.ts";
import { pendingDiscards } from "./draft/discard.ts";
import { draftOf, placeOf } from "./draft/draft-record.ts";
import type { Opening } from "./draft/saver-state.ts";
import { htmlOf, signatureHtml } from "./text/rich-text.ts";
import { addressee, senderOf, signText } from "./signature.ts";
import { writesRich } from "./text/writing-settings.ts";
import { keptDrafts, tabId } from "../kept/kept-drafts.ts";
import type { KeptDraft } from "./draft/kept-draft.ts";

/**
 * The request of the compose page: a new message, an answer to a message, a stored draft, or a draft kept by this
 * browser.
 */
export type Asked = { readonly is: "new" } | { readonly is: Way | "draft" | "kept"; readonly id: string };

const KINDS = ["reply", "replyAll", "forward", "draft", "kept"] as const;

/** Returns the request in the query of the page, such as `?reply=` with the id of a message. */
export const readOpening = (query: URLSearchParams): Asked => {
  const is = KINDS.find((kind) => query.has(kind));
  return is === undefined ? { is: "new" } : { is, id: query.get(is)! };
};

export const aboutOf = (asked: Asked): string => (asked.is === "new" ? "" : `${asked.is}=${asked.id}`);

/**
 * Returns the changes kept by this browser that belong to the page: those of its draft, or those written in this tab
 * before a reload.
 */
export const findEdits = (account: string, asked: Asked): KeptDraft | null => {
  const all = keptDrafts<KeptDraft>(account).filter(({ copy }) => asked.is === "kept" || !pendingDiscards().has(copy));
  const found =
    asked.is === "kept"
      ? all.find(({ copy }) => copy === asked.id)
      : asked.is === "draft"
        ? all.find(({ stored }) => stored?.id === asked.id)
        : all.find(({ tab, about, stored }) => tab === tabId() && about === aboutOf(asked) && stored === null);
  return found ?? null;
};

export const openKept = (kept: KeptDraft): Opening => ({
  about: kept.about,
  draft: restoreDraft(kept.draft),
  stored: kept.stored,
  kept,
});

export const openStored = (record: DraftRecord): Opening => ({
  about: `draft=${record.id}`,
  draft: draftOf(record),
  stored: placeOf(record),
  kept: null,
});

/** Returns the HTML of a new message, with an empty line above the signature; null if the user writes plain text. */
const richHtml = (sender: Identity | undefined, quoted: string): string | null => {
  if (!writesRich()) return null;
  const signature = sender === undefined ? "" : signatureHtml(sender.signatureText, sender.signatureHtml);
  return htmlOf(signature === "" ? "" : "\n") + signature + quoted;
};

export const openNew = (identities: ReadonlyArray<Identity>): Opening => {
  const draft = emptyDraft();
  const sender = senderOf(null, identities);
  const written = { text: signText(draft.text, sender), html: richHtml(sender, "") };
  return { about: "", draft: { ...draft, ...written }, stored: null, kept: null };
};

export const openAnswer = (
  way: Way,
  message: Message,
  account: string,
  identities: ReadonlyArray<Identity>,
): Opening => {
  const own = [account, ...identities.map(({ address }) => address)];
  const draft = draftFrom(message, way, own);
  const from = addressee(message, identities)?.id ?? null;
  const sender = senderOf(from, identities);
  const written = { text: signText(draft.text, sender), html: richHtml(sender, answerHtml(message, way)) };
  return { about: `${way}=${message.id}`, draft: { ...draft, from, ...written }, stored: null, kept: null };
};
