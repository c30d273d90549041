import { ApiProblem, type ApiAnswer, type ApiRequest } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { markText, t } from "../../texts/text.ts";
import { queries } from "../../api/client.ts";
import { adminApi } from "./admin-key.ts";
import { usePages } from "../../ui/paged.ts";

export type Account = ApiAnswer<"GET /api/accounts/:id">["data"];
export type ListedAccount = ApiAnswer<"GET /api/accounts">["data"][number];
export type AccountState = Account["state"];
export type Checks = ApiAnswer<"POST /api/accounts/:id/verify">["data"]["checks"];
export type Candidate = ApiAnswer<"POST /api/accounts/discover">["data"]["candidates"][number];
export type NewAccount = ApiRequest<"POST /api/accounts">["payload"];
export type AccountChange = NonNullable<ApiRequest<"PATCH /api/accounts/:id">["payload"]>;
export type ServerInput = NonNullable<NewAccount["imap"]>;

const PAGE = 50;
const POLL_MILLIS = 10_000;

/** The filter of a list of accounts; null and "" for all. */
export interface AccountFilter {
  readonly state: AccountState | null;
  readonly tag: string;
  /** A part of the address or of the name. */
  readonly query: string;
}

export const useAccounts = ({ state, tag, query }: AccountFilter) =>
  usePages(["admin", "accounts", state, tag, query], (at, signal) =>
    adminApi("GET /api/accounts", {
      query: {
        limit: PAGE,
        ...(state === null ? {} : { state }),
        ...(tag === "" ? {} : { tag }),
        ...(query === "" ? {} : { query }),
        ...at,
      },
      signal,
    }),
  );

export const useAccount = (id: string) =>
  useQuery({
    queryKey: ["admin", "account", id],
    queryFn: async ({ signal }) => (await adminApi("GET /api/accounts/:id", { params: { id }, signal })).data,
    refetchInterval: POLL_MILLIS,
    staleTime: 0,
  });

/** Refetches the lists and the account after a change. */
export const refetchAccounts = (): Promise<unknown> =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ["admin", "accounts"] }),
    queries.invalidateQueries({ queryKey: ["admin", "account"] }),
  ]);

/** Returns the path of the page that creates a connect link for an account, with the account's OAuth2 app if it has one. */
export const connectPath = ({ email, auth }: Pick<Account, "email" | "auth">): string => {
  const provider = auth.kind === "oauth2" && auth.provider !== null ? { provider: auth.provider } : {};
  return `/accounts/connect?${new URLSearchParams({ email, ...provider }).toString()}`;
};

/** Returns the results of both servers of a refused account, if the problem has them. */
export const checksOf = (error: unknown): Checks | undefined =>
  error instanceof ApiProblem && error.code === "account_unverified" ? (error.member("checks") as Checks) : undefined;

/** Returns the style and the word of a state. */
export const stateTag = (
  state: AccountState,
): { readonly look: "good" | "warn" | "bad" | ""; readonly word: string } => ({
  look: STATES[state].look,
  word: t(STATES[state].word),
});

const STATES = {
  active: { look: "good", word: markText("active [account]") },
  needs_reauth: { look: "bad", word: markText("needs a new sign-in") },
  unreachable: { look: "warn", word: markText("unreachable [account]") },
  paused: { look: "", word: markText("paused [account]") },
} as const;
