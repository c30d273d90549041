import type { ApiRequest } from "@postern/client/browser";
import type { Draft } from "./draft.ts";

/** Returns the request that sends a draft (spec 2.4). */
export const payloadOf = (draft: Draft): NonNullable<ApiRequest<"POST /api/send">["payload"]> => ({
  to: draft.to,
  subject: draft.subject,
  text: draft.text,
  ...(draft.cc.trim() === "" ? {} : { cc: draft.cc }),
  ...(draft.bcc.trim() === "" ? {} : { bcc: draft.bcc }),
  ...(draft.replyToMessageId === null ? {} : { replyToMessageId: draft.replyToMessageId }),
  ...(draft.forwardOf === null ? {} : { forwardOf: draft.forwardOf }),
  ...(draft.files.length === 0
    ? {}
    : { attachments: draft.files.flatMap(({ uploaded }) => (uploaded === null ? [] : [uploaded])) }),
});
