import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { PREFIX } from "../api/prefix.ts";

export type SignInProvider = ApiAnswer<"GET /api/auth/providers">["data"][number];

const FIVE_MINUTES = 300_000;

/** Fetches the OAuth2 apps with which users sign in: all of them or, with an address, the apps that may open its mailbox (spec 11.3). */
export const useProviders = (email: string | null, enabled = true) =>
  useQuery({
    queryKey: ["providers", email],
    queryFn: async ({ signal }) =>
      (await api("GET /api/auth/providers", { query: email === null ? {} : { email }, signal })).data,
    staleTime: FIVE_MINUTES,
    enabled,
  });

/** Returns the URL at which a user consents, to sign in with this address or with the address that the provider names. */
export const consentUrl = (provider: string, email: string): string =>
  `${PREFIX}/oauth/sign-in/${encodeURIComponent(provider)}` +
  (email.trim() === "" ? "" : `?email=${encodeURIComponent(email.trim())}`);
