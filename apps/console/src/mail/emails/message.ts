import type { ApiAnswer } from "@postern/client/browser";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { accountUrl } from "../../api/signed-in.ts";

export type Message = ApiAnswer<"GET /api/messages/:id">["data"];

/** If a busy service could not read a message, the message is read again after this pause, in milliseconds. */
const READ_AGAIN = 2_000;

/** Returns whether the text is missing because of the service, not because of the message. */
export const isUnreadYet = (message: Pick<Message, "parseFault"> | undefined): boolean =>
  message?.parseFault === "busy";

/** A message with its text (spec 5). Its content never changes. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ["message", id] as const,
    queryFn: async ({ signal }): Promise<Message> =>
      nameAccount((await api("GET /api/messages/:id", { params: { id }, signal })).data),
    staleTime: ({ state }) => (isUnreadYet(state.data) ? 0 : 300_000),
    refetchInterval: ({ state }) => (isUnreadYet(state.data) ? READ_AGAIN : false),
  });

/** Adds the account to the URLs of the files of a message, because links and pictures send no header. */
const nameAccount = (message: Message): Message => ({
  ...message,
  html: message.html?.replaceAll(FILE_URL, (_, before: string, url: string) => before + accountUrl(url)) ?? null,
  rawUrl: accountUrl(message.rawUrl),
  attachments: message.attachments.map((attachment) => ({ ...attachment, url: accountUrl(attachment.url) })),
});

/** The URL of a file of a message, as the service writes it into HTML. */
const FILE_URL = /(src=")([^"?]*\/api\/messages\/[^"?]+)(?=")/g;

/** Reads a message, unless it is null. */
export const useMessage = (id: string | null) => useQuery({ ...messageQuery(id ?? ""), enabled: id !== null });
