import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";
import { mailbox } from "../../mail/emails/people.ts";

/** A sender that the account may name (spec 12.2). */
export type Identity = ApiAnswer<"GET /api/identities">["data"][number];

const KEY = ["identities"];
const STALE_MILLIS = 300_000;

/** The senders of the account, its own address first. */
export const useIdentities = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api("GET /api/identities", { signal })).data,
    staleTime: STALE_MILLIS,
  });

export const readIdentitiesAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: KEY });

/** Returns `Name <address>` of a sender. */
export const senderText = ({ name, address }: Identity): string => mailbox({ name, address });
