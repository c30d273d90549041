import { ApiProblem } from "@postern/client/browser";
import { useEffect } from "react";
import { api, queries } from "../api/client.ts";
import { PREFIX } from "../api/prefix.ts";
import { accountUrl } from "../api/signed-in.ts";
import { announce } from "./notifications.ts";

const KINDS = [
  "email.received",
  "email.sent",
  "email.bounced",
  "email.delayed",
  "email.failed",
  "email.deleted",
  "email.flags_changed",
  "folder.created",
  "folder.renamed",
  "folder.deleted",
  "folder.delete_failed",
  "webhook.disabled",
  "account.auth_failed",
  "account.recovered",
  "account.servers_changed",
  "approval.requested",
  "approval.decided",
  "gap",
] as const;

/** The time in which events are gathered, because they often arrive in bursts: lists are refetched once per burst. */
const GATHER_MILLIS = 400;
/** The delay before a stream that the service closed is reopened; the browser itself reconnects broken streams. */
const AGAIN_MILLIS = 10_000;

const keysOf = (kind: string): ReadonlyArray<string> => {
  if (kind === "gap")
    return ["account", "folders", "emails", "inboxes", "outbox", "endpoints", "endpoint", "approvals"];
  if (kind === "account.auth_failed") return ["account"];
  // Queries that failed in the meantime are repeated.
  if (kind === "account.recovered" || kind === "account.servers_changed")
    return ["account", "folders", "emails", "message", "outbox"];
  if (kind === "email.received" || kind === "email.deleted" || kind === "email.flags_changed") {
    return ["folders", "emails", "inboxes"];
  }
  if (kind.startsWith("folder.")) return ["folders", "managed-folders"];
  if (kind.startsWith("approval.")) return ["approvals"];
  if (kind.startsWith("webhook.")) return ["endpoints", "endpoint"];
  return ["outbox", "folders"];
};

/** Follows the account's events (spec 7) and refetches the lists that they change. */
export const useLiveEvents = (account: string): void => {
  useEffect(() => {
    const due = new Set<string>();
    let gathering: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let stream: EventSource | undefined;
    let isClosed = false;

    const refetchDue = (): void => {
      gathering = undefined;
      const keys = [...due];
      due.clear();
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    };
    const hear = ({ type }: Event): void => {
      for (const key of keysOf(type)) due.add(key);
      gathering ??= setTimeout(refetchDue, GATHER_MILLIS);
    };
    const open = (): void => {
      stream = new EventSource(accountUrl(`${PREFIX}/api/events`, account));
      for (const kind of KINDS) stream.addEventListener(kind, hear);
      stream.addEventListener("email.received", (event) => announce(account, event));
      stream.addEventListener("error", () => {
        if (stream?.readyState !== EventSource.CLOSED) return;
        // EventSource does not report why the stream ended. This request shows whether the session has ended.
        again = setTimeout(reopen, AGAIN_MILLIS);
      });
    };
    // If the service does not answer yet, the request is repeated; after a 401 this page is replaced.
    const reopen = (): void =>
      void api("GET /api/auth/session").then(
        () => {
          if (isClosed) return;
          open();
          // No events report the changes that happened without a stream.
          hear(new Event("gap"));
        },
        (error: unknown) => {
          const hasEnded = error instanceof ApiProblem && error.status === 401;
          if (!hasEnded && !isClosed) again = setTimeout(reopen, AGAIN_MILLIS);
        },
      );
    open();
    return () => {
      isClosed = true;
      stream?.close();
      clearTimeout(gathering);
      clearTimeout(again);
    };
  }, [account]);
};
