import type { MailServerError } from "@postern/core/mail";
import { MessageNotFound, type MessagePlace } from "@postern/core/messages";
import { Effect } from "effect";
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";

/** Fetches data of a message in the open mailbox; fails if the message is gone. */
export const fetchExisting = Effect.fnUntraced(function* (
  client: ImapFlow,
  { uid }: Pick<MessagePlace, "uid">,
  query: FetchQueryObject,
  timeout: number,
): Effect.fn.Return<FetchMessageObject, MailServerError | MessageNotFound> {
  const row = yield* command(client, "fetch", timeout, () => client.fetchOne(`${uid}`, query, { uid: true }));
  return row === false || row === undefined ? yield* new MessageNotFound() : row;
});

/**
 * Fails if a message is gone. Servers answer NIL for a missing part, and Dovecot answers NIL for every part of an
 * expunged message.
 */
export const requireExisting = (client: ImapFlow, place: Pick<MessagePlace, "uid">, timeout: number) =>
  fetchExisting(client, place, { uid: true }, timeout);
