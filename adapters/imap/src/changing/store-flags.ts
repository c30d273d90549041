import type { FlagChange } from "@postern/core/messages";
import { Effect } from "effect";
import type { ImapFlow } from "imapflow";
import { atomArgument, execute, uidsArgument } from "../connection/execute.ts";
import { uidSet } from "../wire/uid-set.ts";
import { checkLabels, hasGmailLabels, keywordToAdd, knownKeywords, labelsFailure } from "../reading/labels.ts";
import { checkPermitted } from "./check-permitted.ts";

const FLAGS = [
  ["unread", "\\Seen"],
  ["flagged", "\\Flagged"],
  ["answered", "\\Answered"],
] as const;

/**
 * Adds and removes flags and labels of messages of the open mailbox. `unread` is the absence of `\Seen`. Labels are
 * stored first, so that a refusal of labels changes nothing.
 */
export const storeFlags = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  change: FlagChange,
  timeout: number,
) {
  const wanted = FLAGS.flatMap(([name, flag]) => {
    const value = change[name];
    return value === undefined ? [] : [{ flag, set: name === "unread" ? !value : value }];
  });
  const changed = wanted.map(({ flag }) => flag);
  yield* checkPermitted(client, "store", changed);
  yield* storeLabels(client, uids, change, timeout);
  for (const set of [true, false]) {
    const flags = wanted.filter((one) => one.set === set).map(({ flag }) => atomArgument(flag));
    if (flags.length === 0) continue;
    const item = atomArgument(`${set ? "+" : "-"}FLAGS.SILENT`);
    yield* execute(client, "UID STORE", timeout, uidsArgument(uidSet(uids)), item, flags);
  }
});

const storeLabels = Effect.fnUntraced(function* (
  client: ImapFlow,
  uids: ReadonlyArray<number>,
  { addLabels = [], removeLabels = [] }: FlagChange,
  timeout: number,
) {
  const added = addLabels.flatMap((label) => keywordToAdd(client, label));
  const removed = removeLabels.flatMap((label) => knownKeywords(client, label));
  if (added.length + removed.length === 0) return;
  yield* checkLabels(client, [...added, ...removed]);
  const item = hasGmailLabels(client) ? "X-GM-LABELS" : "FLAGS.SILENT";
  for (const [sign, keywords] of [
    ["+", added],
    ["-", removed],
  ] as const) {
    if (keywords.length === 0) continue;
    const store = execute(
      client,
      "UID STORE",
      timeout,
      uidsArgument(uidSet(uids)),
      atomArgument(`${sign}${item}`),
      keywords.map(atomArgument),
    );
    yield* Effect.mapError(store, labelsFailure);
  }
});
