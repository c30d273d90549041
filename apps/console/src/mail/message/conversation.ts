import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Email } from "../emails/emails.ts";
import type { Message } from "../emails/message.ts";
import { useHasRested } from "./useHasRested.ts";

/** The other messages of a conversation, oldest first. */
export interface Conversation {
  readonly earlier: ReadonlyArray<Email>;
  readonly later: ReadonlyArray<Email>;
}

const NO_OTHERS: Conversation = { earlier: [], later: [] };

/** Returns whether the message answers another, so that its conversation has earlier messages. */
export const isAnswer = ({ inReplyTo, references }: Message): boolean => inReplyTo !== null || references.length > 0;

/** Splits the messages of a conversation at one of them, without its copies. */
export const splitAround = ({ id, messageId, date }: Message, all: ReadonlyArray<Email>): Conversation => {
  const others = all.filter((email) => email.id !== id && (messageId === null || email.messageId !== messageId));
  const known = all.findIndex((email) => email.id === id);
  const isEarlier = (email: Email) => (known === -1 ? email.date < date : all.indexOf(email) < known);
  return { earlier: others.filter(isEarlier), later: others.filter((email) => !isEarlier(email)) };
};

/**
 * Reads the conversation of a message: at once if the message is an answer, otherwise after a short wait, so that
 * paging through messages reads no conversations.
 */
export const useConversation = (message: Message, isShown: boolean) => {
  const hasRested = useHasRested(message.id);
  const query = useQuery({
    queryKey: ["conversation", message.id],
    queryFn: async ({ signal }) => (await api("GET /api/threads/:id", { params: { id: message.id }, signal })).emails,
    enabled: isShown && (hasRested || isAnswer(message)),
    staleTime: 60_000,
  });
  return { ...(query.data === undefined ? NO_OTHERS : splitAround(message, query.data)), isPending: query.isLoading };
};
