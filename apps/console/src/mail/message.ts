import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";

export type Message = ApiAnswer<"GET /api/messages/:id">["data"];

/** Fetches a message (spec 5). Its content never changes. */
export const useMessage = (id: string | null) =>
  useQuery({
    queryKey: ["message", id],
    queryFn: async ({ signal }) => (await api("GET /api/messages/:id", { params: { id: id! }, signal })).data,
    enabled: id !== null,
    staleTime: 300_000,
  });
