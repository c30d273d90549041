import { foldLabel } from "../mail/index.ts";
import type { MessageFlags } from "./SeenMessage.ts";

/** Returns only the flags of a message. */
export const flagsOf = ({ unread, flagged, answered, labels }: MessageFlags): MessageFlags => ({
  unread,
  flagged,
  answered,
  labels,
});

/** Returns whether two messages have equal recorded flags. */
export const sameFlags = (a: MessageFlags, b: MessageFlags): boolean =>
  a.unread === b.unread &&
  a.flagged === b.flagged &&
  a.answered === b.answered &&
  (a.labels === b.labels || (a.labels !== null && b.labels !== null && a.labels.join("\n") === b.labels.join("\n")));

/** Returns the names of the flags that differ. Labels are compared without case; unknown labels count as equal. */
export const changedFlags = (before: MessageFlags, after: MessageFlags): ReadonlyArray<string> => [
  ...(["unread", "flagged", "answered"] as const).filter((name) => before[name] !== after[name]),
  ...(before.labels === null || after.labels === null ? [] : differing(before.labels, after.labels)).map(
    (label) => `label:${label}`,
  ),
];

const differing = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<string> => {
  const without = (some: ReadonlyArray<string>, others: ReadonlyArray<string>) => {
    const folded = new Set(others.map(foldLabel));
    return some.filter((label) => !folded.has(foldLabel(label)));
  };
  return [...without(after, before), ...without(before, after)];
};
