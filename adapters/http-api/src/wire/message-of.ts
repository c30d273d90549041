import type { Message } from "@postern/api";
import { headerOf } from "@postern/core/mail";
import {
  authenticationResults,
  cutHeader,
  type Invitation,
  type ReadableMessage,
  type ReadMessage,
  splitQuoted,
  unsubscribeWayOf,
} from "@postern/core/messages";
import { Result, Struct } from "effect";
import { emailOf } from "./email-of.ts";

/** Returns a message with its text as the API represents it (spec 5.2). */
export const messageOf = (message: ReadMessage, prefix: string): typeof Message.Type => {
  const { headers, text, html, blocked, invitation = null }: Shown = Result.getOrElse(message.parsed, () => NOTHING);
  const split = text === null ? null : splitQuoted(text);
  const listed = emailOf({ id: message.id, message: message.summary }, message.folder);
  return {
    ...listed,
    attachments: message.attachments,
    automatic: message.automatic,
    replyTo: cutHeader(headerOf(headers, "Reply-To")),
    inReplyTo: message.inReplyTo,
    references: message.references,
    headers: headers.map(([name, value]) => ({ name, value: cutHeader(value) })),
    text,
    newText: split?.newText ?? null,
    quotedText: split?.quotedText ?? null,
    html,
    authentication: authenticationResults(headers),
    unsubscribe: unsubscribeWayOf(headers),
    invitation: invitation && invitationOf(invitation),
    blockedRemote: blocked,
    truncated: message.truncated || listed.truncated || headers.some(([, value]) => cutHeader(value) !== value),
    parsed: Result.isSuccess(message.parsed),
    parseFault: Result.isFailure(message.parsed) ? message.parsed.failure.reason : null,
    rawUrl: `${prefix}/api/messages/${message.id}/raw`,
  };
};

/** Removes the fields of an invitation that only a reply needs. */
const invitationOf = (invitation: Invitation) => Struct.omit(invitation, ["recurrenceId"]);

type Shown = Omit<ReadableMessage, "text"> & { readonly text: string | null };

const NOTHING: Shown = { headers: [], text: null, html: null, blocked: 0 };
