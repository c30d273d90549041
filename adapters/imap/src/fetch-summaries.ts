import type { MailServerError, MessageSummary } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "./command.ts";
import { messageSummary, SUMMARY } from "./message-summary.ts";
import { fetchRows } from "./rows/fetch-rows.ts";

/** Returns the summaries of these messages, by UID or by position, in the order of the mailbox. */
export const fetchSummaries = (
  client: ImapFlow,
  range: string,
  by: "uid" | "position",
  timeout: number,
): Effect.Effect<ReadonlyArray<MessageSummary>, MailServerError> =>
  Effect.map(
    command(client, "fetch", timeout, () => fetchRows(client, range, SUMMARY, { uid: by === "uid" })),
    (rows) => (rows ?? []).map(messageSummary).filter((message) => message !== undefined),
  );
