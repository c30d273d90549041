import type { ApiAnswer } from "@postern/client/browser";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

export type Message = ApiAnswer<"GET /api/messages/:id">["data"];

/** If a busy service could not read a message, the pause in milliseconds before the message is read again. */
const READ_AGAIN = 2_000;

/** Whether the text is missing because of the service, and not because of the message. */
export const isUnreadYet = (message: Pick<Message, "parseFault"> | undefined): boolean =>
  message?.parseFault === "busy";

/** A message with its text (spec 5). Its content never changes. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ["message", id] as const,
    queryFn: async ({ signal }): Promise<Message> =>
      (await api("GET /api/messages/:id", { params: { id }, signal })).data,
    staleTime: ({ state }) => (isUnreadYet(state.data) ? 0 : 300_000),
    refetchInterval: ({ state }) => (isUnreadYet(state.data) ? READ_AGAIN : false),
  });

/** Reads a message, unless it is null. */
export const useMessage = (id: string | null) => useQuery({ ...messageQuery(id ?? ""), enabled: id !== null });
