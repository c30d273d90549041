import type { Draft } from "@postern/core/drafts";
import type { Visit } from "../../../../Visit.ts";
import type { ModelDraft } from "./model-draft.ts";

/** Compares all fields of a draft with the model. [S12.1-4] */
export const compareDraft = (visit: Visit, known: ModelDraft, found: Draft): void => {
  const { contents, version, state, reason } = found;
  const { request } = known;
  visit.same(
    [found.id, version, state, reason?.reason ?? null, contents.subject],
    [known.id, known.version, known.state, known.reason, request.subject],
    `the id, version, state, reason and subject of ${request.subject}`,
  );
  if (known.isForeign) return;
  const {
    to,
    cc,
    bcc,
    replyTo,
    text,
    html,
    inReplyTo,
    references,
    headers,
    trackOpens,
    sendAt,
    force,
    expiresAfter,
    attachments,
  } = contents;
  visit.same(
    {
      to: to[0]?.address,
      cc: cc[0]?.address,
      bcc: bcc[0]?.address,
      replyTo: replyTo[0]?.address,
      text,
      html,
      inReplyTo,
      references: [...references],
      headers: Object.fromEntries(headers),
      trackOpens,
      sendAt: sendAt ?? undefined,
      force: force ?? undefined,
      expiresAfter,
      files: attachments.map(({ uploadId }) => uploadId),
    },
    {
      to: request.to,
      cc: request.cc,
      bcc: request.bcc,
      replyTo: request.replyTo,
      text: request.text,
      html: request.html ?? null,
      inReplyTo: request.inReplyTo ?? null,
      references: request.references ?? [],
      headers: request.headers ?? {},
      trackOpens: request.trackOpens ?? false,
      sendAt:
        request.sendAt === undefined || Date.parse(request.sendAt) < visit.now
          ? (sendAt ?? undefined)
          : Date.parse(request.sendAt),
      force: request.force,
      expiresAfter: request.expiresAfter,
      files: request.attachments?.map(({ id }) => id) ?? [],
    },
    `the fields of ${request.subject}`,
  );
};
