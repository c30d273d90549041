import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { command } from "../connection/command.ts";
import { atomArgument, execute, executeAll, uidsArgument } from "../connection/execute.ts";
import { checkPermitted } from "./check-permitted.ts";
import { uidSet } from "../wire/uid-set.ts";

const DELETED = [atomArgument("\\Deleted")];

/** Removes only these messages from the open mailbox. */
export const expungeUids = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  timeout: number,
): Effect.fn.Return<void, MailServerError> {
  yield* checkPermitted(client, "expunge", ["\\Deleted"]);
  const mark = `UID STORE ${uidSet(uids)} +FLAGS.SILENT (\\Deleted)`;
  if (client.capabilities.has("UIDPLUS")) {
    return yield* executeAll(client, "expunge", [mark, `UID EXPUNGE ${uidSet(uids)}`], timeout);
  }
  yield* executeAll(client, "expunge", [mark], timeout);
  yield* expungeOnly(client, new Set(uids), timeout);
});

/**
 * Removes only these messages, on a server without UIDPLUS. EXPUNGE removes every message marked as deleted, so other
 * messages lose their mark first.
 */
const expungeOnly = Effect.fnUntraced(function* (client: ImapFlow, ours: ReadonlySet<number>, timeout: number) {
  const marked = yield* command(client, "search", timeout, () => client.search({ deleted: true }, { uid: true }));
  if (!Array.isArray(marked)) return yield* refusalError("the server gave no list of messages marked as deleted");
  const others = marked.filter((uid) => !ours.has(uid));
  if (others.length > 0) {
    yield* execute(client, "UID STORE", timeout, uidsArgument(uidSet(others)), atomArgument("-FLAGS.SILENT"), DELETED);
  }
  yield* execute(client, "EXPUNGE", timeout);
});

const refusalError = (detail: string) => new MailServerError({ reason: "protocol", operation: "expunge", detail });
