import type { ApiAnswer } from "@postern/client/browser";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";

export type Message = ApiAnswer<"GET /api/messages/:id">["data"];

/** A message with its text (spec 5). Its content never changes. */
export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: ["message", id] as const,
    queryFn: async ({ signal }): Promise<Message> =>
      (await api("GET /api/messages/:id", { params: { id }, signal })).data,
    staleTime: 300_000,
  });

/** Reads a message, unless it is null. */
export const useMessage = (id: string | null) => useQuery({ ...messageQuery(id ?? ""), enabled: id !== null });
