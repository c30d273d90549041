import { useQueries } from "@tanstack/react-query";
import { apiOf } from "../../api/client.ts";
import { signedInAccounts } from "../../api/signed-in.ts";
import { inboxKey } from "../../live/other-accounts.ts";
import type { Email } from "../emails/emails.ts";

/** A message of the joined inbox, with its account. */
export interface JoinedEmail {
  readonly account: string;
  readonly email: Email;
}

/** A part of an inbox, newest first. */
export interface InboxPart {
  readonly account: string;
  readonly emails: ReadonlyArray<Email>;
  readonly hasMore: boolean;
}

const POLL_MILLIS = 60_000;

/**
 * Returns the messages of several inboxes, newest first, as far as the order is known: no message that is older than
 * the last fetched message of an inbox with more messages.
 */
export const joinInboxes = (parts: ReadonlyArray<InboxPart>): ReadonlyArray<JoinedEmail> => {
  const known = Math.max(
    Number.NEGATIVE_INFINITY,
    ...parts.flatMap(({ emails, hasMore }) => (hasMore && emails.length > 0 ? [Date.parse(emails.at(-1)!.date)] : [])),
  );
  return parts
    .flatMap(({ account, emails }) => emails.map((email) => ({ account, email })))
    .filter(({ email }) => Date.parse(email.date) >= known)
    .toSorted((one, other) => Date.parse(other.email.date) - Date.parse(one.email.date));
};

/** Reads the newest messages of the inboxes of all accounts that this browser is signed in to. */
export const useJoinedInbox = (limit: number) => {
  const accounts = signedInAccounts();
  const inboxes = useQueries({
    queries: accounts.map((account) => ({
      queryKey: [...inboxKey(account), limit],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<InboxPart> => {
        const { emails, nextCursor } = await apiOf(account)("GET /api/inbox", {
          query: { folder: "inbox", limit },
          signal,
        });
        return { account, emails, hasMore: nextCursor !== null };
      },
      placeholderData: (before: InboxPart | undefined) => before,
      refetchInterval: POLL_MILLIS,
      staleTime: 0,
    })),
  });
  const parts = inboxes.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    isPending: inboxes.some(({ isPending }) => isPending),
    emails: joinInboxes(parts),
    hasMore: parts.some(({ hasMore }) => hasMore),
    failed: inboxes.flatMap(({ error }, index) => (error === null ? [] : [{ account: accounts[index]!, error }])),
    retry: () => Promise.all(inboxes.map(({ refetch }) => refetch())),
  };
};
