import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";

/** The limits of the service for files of a message; undefined until they are known. */
export const useLimits = () =>
  useQuery({
    queryKey: ["limits"],
    queryFn: async ({ signal }) => (await api("GET /api/limits", { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
