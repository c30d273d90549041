import { Effect } from "effect";
import type { MailServerError } from "@postern/core/mail";
import type { ImapFlow, ImapFlowError } from "imapflow";
import { parseStatusList } from "imapflow/lib/commands/status-fields.js";
import { decodePath, normalizePath } from "imapflow/lib/tools.js";
import { command } from "../connection/command.ts";
import { commandFailure, connectionLoss, isTransient } from "../connection/imap-failure.ts";
import { isAlive, type Untagged } from "../wire/imapflow-internals.ts";
import { pipeline } from "../wire/in-one-write.ts";
import { refusalOf } from "../wire/refusal-of.ts";
import { readListRow } from "../rows/list-row.ts";
import { statusLine } from "./status-line.ts";

/**
 * The number of STATUS commands in one write. Each group takes one round trip, and the server never has to buffer more
 * than one group.
 */
const AT_ONCE = 50;

/** The requested values of a STATUS response. */
export interface StatusValues {
  readonly messages?: number;
  readonly unseen?: number;
  readonly uidValidity?: bigint;
  readonly uidNext?: number;
  readonly highestModseq?: bigint;
  readonly mailboxId?: string;
}

/**
 * Returns the STATUS of each of these mailboxes by path, many in one write. A mailbox that the server refuses has no
 * STATUS: it was deleted since the listing, or may not be opened. Fails on a temporary refusal, because a folder
 * without a status would count as a different folder.
 */
export const statusOfEach = Effect.fnUntraced(function* (
  client: ImapFlow,
  paths: Iterable<string>,
  items: string,
  timeout: number,
): Effect.fn.Return<ReadonlyMap<string, StatusValues>, MailServerError> {
  const found = new Map<string, StatusValues>();
  const left = [...new Set(paths)];
  const take = (payload: Buffer, literals: ReadonlyArray<Buffer>): boolean => {
    const row = readListRow(payload, literals);
    if (row?.command !== "STATUS") return false;
    const { value } = row.attributes[0] as { readonly value: string };
    found.set(normalizePath(client as never, decodePath(client as never, value)), statusValues(row));
    return true;
  };
  while (left.length > 0) {
    const group = left.splice(0, AT_ONCE).map((path) => ({ path, line: statusLine(client, path, items) }));
    const lines = group.flatMap(({ line }) => line ?? []);
    // The NOOP updates what the session sees of its open mailbox.
    const {
      refusals: [, ...refusals],
    } = yield* command(client, "status", timeout, () => pipeline(client, ["NOOP", ...lines], take));
    if (!isAlive(client)) return yield* connectionLoss("status", client.byeReason);
    const passing = refusals.flatMap((text) => (text === undefined ? [] : [refusalOf(text)])).find(isShort);
    if (passing !== undefined) return yield* commandFailure("status", passing);
    const refused = new Set(group.filter(({ line }) => line !== undefined).filter((_, n) => refusals[n] !== undefined));
    // Names that cannot be quoted, and names that the server returned in another form.
    for (const one of group.filter(({ path }) => !found.has(path))) {
      if (refused.has(one)) continue;
      const status = yield* command(client, "status", timeout, () => client.status(one.path, QUERY));
      if (!isAlive(client)) return yield* connectionLoss("status", client.byeReason);
      if (status !== false) found.set(one.path, status as StatusValues);
    }
  }
  return found;
});

/** Returns whether a refusal is temporary. A server with a fault in one mailbox would refuse permanently. */
const isShort = (refusal: ImapFlowError): boolean =>
  isTransient(refusal) && !/SERVERBUG|CONTACTADMIN/i.test(refusal.serverResponseCode ?? "");

const QUERY = { messages: true, unseen: true, uidValidity: true, uidNext: true };

/** Returns the values of a STATUS response. */
export const statusValues = ({ attributes: [, items] }: Untagged): StatusValues => {
  const values: Record<string, unknown> = {};
  parseStatusList(items as Parameters<typeof parseStatusList>[0], (key, value) => {
    values[key] = value;
  });
  const tokens = items as ReadonlyArray<{ readonly value?: unknown } | ReadonlyArray<{ readonly value?: unknown }>>;
  const at = tokens.findIndex((token) => "value" in token && String(token.value).toUpperCase() === "MAILBOXID");
  const id = at < 0 ? undefined : (tokens[at + 1] as ReadonlyArray<{ readonly value?: unknown }>)[0]?.value;
  return id === undefined ? values : { ...values, mailboxId: String(id) };
};
