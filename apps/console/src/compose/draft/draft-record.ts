import type { ApiRequest } from "@postern/client/browser";
import type { StoredDraft } from "./kept-draft.ts";
import { addressList } from "../../mail/emails/people.ts";
import type { Draft, DraftFile, DraftRecord, HiddenFields } from "./draft.ts";

type Payload = NonNullable<ApiRequest<"PUT /api/drafts/:id">["payload"]>;

/** Returns the files of a stored draft. */
export const filesOf = ({ attachments }: DraftRecord): ReadonlyArray<DraftFile> =>
  attachments.map(({ id, name, url, type, size, contentId }) => ({
    key: id,
    name,
    size,
    progress: 1,
    uploaded: { id, name, url, type, size },
    fault: null,
    ...(contentId === null ? {} : { contentId }),
  }));

/** Returns the fields of a stored draft that the console does not show. */
export const hiddenOf = (record: DraftRecord): HiddenFields => ({
  ...(record.replyTo.length === 0 ? {} : { replyTo: record.replyTo }),
  ...(record.inReplyTo === null ? {} : { inReplyTo: record.inReplyTo }),
  ...(record.references.length === 0 ? {} : { references: record.references }),
  ...(Object.keys(record.headers).length === 0 ? {} : { headers: record.headers }),
  ...(record.trackOpens ? { trackOpens: true } : {}),
  ...(record.expiresAfter === null ? {} : { expiresAfter: record.expiresAfter }),
  ...(record.replyToMessageId === null ? {} : { replyToMessageId: record.replyToMessageId, force: true }),
});

/** Returns a stored draft in its editable form. */
export const draftOf = (record: DraftRecord): Draft => ({
  from: record.from,
  to: addressList(record.to),
  cc: addressList(record.cc),
  bcc: addressList(record.bcc),
  subject: record.subject,
  text: record.text ?? "",
  html: record.html,
  files: filesOf(record),
  hidden: hiddenOf(record),
});

/** Returns a draft with the parts that the service added at its creation: thread headers, and the files of a forwarded message. */
export const completeFrom = (record: DraftRecord, draft: Draft): Draft => {
  const known = new Set(draft.files.map(({ uploaded }) => uploaded?.id));
  const added = draft.hidden.forwardOf === undefined ? [] : filesOf(record).filter(({ key }) => !known.has(key));
  return { ...draft, hidden: hiddenOf(record), files: [...draft.files, ...added] };
};

/** Returns the id, the version and the send time of a stored draft. */
export const placeOf = ({ id, version, sendAt }: DraftRecord): StoredDraft => ({ id, version, sendAt });

/** Returns the request that stores a draft, without files that are not uploaded yet. */
export const payloadOf = (draft: Draft, sendAt: string | null = null): Payload => ({
  ...draft.hidden,
  ...(draft.from === null ? {} : { from: draft.from }),
  to: draft.to,
  cc: draft.cc,
  bcc: draft.bcc,
  subject: draft.subject,
  text: draft.text,
  ...(draft.html === null ? {} : { html: draft.html }),
  ...(sendAt === null ? {} : { sendAt }),
  attachments: draft.files.flatMap((file) => {
    const { uploaded, contentId } = file;
    if (uploaded === null || contentId === undefined) return uploaded ?? [];
    return isInText(draft, file) ? [{ ...uploaded, contentId }] : [];
  }),
});

/** Returns whether a file is a picture that the text shows. */
const isInText = ({ html }: Draft, { contentId }: DraftFile): boolean =>
  contentId !== undefined && html?.includes(`cid:${contentId}`) === true;

/** Returns the files of a draft that are not pictures of its text. */
export const listedFiles = ({ files }: Draft): ReadonlyArray<DraftFile> =>
  files.filter(({ contentId }) => contentId === undefined);

/** Returns whether two drafts are equal in all parts that the console shows. */
export const haveSameContents = (one: Draft, other: Draft): boolean =>
  wordsOf(one) === wordsOf(other) && uploadsOf(one) === uploadsOf(other);

/** Returns the contents of a draft without its files, for comparisons; recipients by their addresses. */
export const wordsOf = ({ to, cc, bcc, subject, text, html }: Draft): string =>
  JSON.stringify([[to, cc, bcc].map(addressesIn), subject, text, html]);

const uploadsOf = ({ files }: Draft): string => JSON.stringify(files.map(({ uploaded }) => uploaded?.id));

const addressesIn = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[^\s<>,"]+@[^\s<>,"]+/g) ?? [];
