import type { ApiAnswer } from "@postern/client/browser";
import { useQuery } from "@tanstack/react-query";
import { api, queries } from "../../api/client.ts";
import { everyPage } from "../../ui/paged.ts";

export type Approval = ApiAnswer<"GET /api/approvals/:id">["data"];
export type ListedApproval = ApiAnswer<"GET /api/approvals">["data"][number];
export type Grant = ApiAnswer<"GET /api/grants">["data"][number];

const GRANTS = ["grants"];

/** The assistants to which the account gave access, newest first. */
export const useGrants = () =>
  useQuery({
    queryKey: GRANTS,
    queryFn: ({ signal }) => everyPage((at) => api("GET /api/grants", { query: at, signal })),
    staleTime: 0,
  });

export const listGrantsAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: GRANTS });

/** Refetches approvals, their drafts and the sent messages. */
export const refetchApprovals = (): Promise<unknown> =>
  Promise.all(["approvals", "outbox", "folders"].map((key) => queries.invalidateQueries({ queryKey: [key] })));
