import type { ApiAnswer, ApiRequest } from "@postern/client/browser";
import { queries } from "../../api/client.ts";
import { adminApi } from "../records/admin-key.ts";
import { usePages } from "../../ui/paged.ts";

export type Outgoing = ApiAnswer<"GET /api/admin/outbox">["data"][number];
export type OutgoingState = Outgoing["state"];
/** The messages that a list shows, and that an action changes (spec 6.7). */
export type OutgoingFilter = ApiRequest<"POST /api/admin/outbox/hold">["payload"];

const PAGE = 50;

export const useOutgoing = (filter: OutgoingFilter) =>
  usePages(["admin", "outbox", filter], (at, signal) =>
    adminApi("GET /api/admin/outbox", { query: { ...filter, limit: PAGE, ...at }, signal }),
  );

export const listOutgoingAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: ["admin", "outbox"] });
