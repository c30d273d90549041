import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import type { Person } from "./recipients.ts";

const STALE_MILLIS = 60_000;

/** Returns the contacts that match a typed text, from all sent mail (spec 12.5); none for an empty text. */
export const useContacts = (typed: string): ReadonlyArray<Person> => {
  const query = typed.trim().slice(0, 200);
  const { data = [] } = useQuery({
    queryKey: ["contacts", query],
    queryFn: async ({ signal }) => (await api("GET /api/contacts", { query: { query }, signal })).data,
    enabled: query !== "",
    staleTime: STALE_MILLIS,
    placeholderData: keepPreviousData,
  });
  return query === "" ? [] : data;
};
