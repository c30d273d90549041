import type { MailServerError, MessageSummary } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow, MessageStructureObject } from "imapflow";
import { command } from "./command.ts";
import { messageSummary, SUMMARY } from "./message-summary.ts";
import { fetchRows } from "./rows/fetch-rows.ts";

/** Returns the summaries of these messages, by UID or by position, in the order of the mailbox; `keep` gets structures. */
export const fetchSummaries = (
  client: ImapFlow,
  range: string,
  by: "uid" | "position",
  timeout: number,
  keep?: (uid: number, structure: MessageStructureObject) => void,
): Effect.Effect<ReadonlyArray<MessageSummary>, MailServerError> =>
  Effect.map(
    command(client, "fetch", timeout, () => fetchRows(client, range, SUMMARY, { uid: by === "uid" })),
    (rows = []) => {
      for (const { uid, bodyStructure } of rows) if (bodyStructure !== undefined) keep?.(uid, bodyStructure);
      return rows.map(messageSummary).filter((message) => message !== undefined);
    },
  );
