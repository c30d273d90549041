import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";

/** Fetches the account of the session, including whether its mail server accepts it. */
export const useOwnAccount = () =>
  useQuery({
    queryKey: ["account"],
    queryFn: async ({ signal }) => (await api("GET /api/account", { signal })).data,
  });
