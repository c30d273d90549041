/** A message before a change. */
export interface MessageBefore {
  readonly id: string;
  readonly unread: boolean;
  readonly flagged: boolean;
  readonly labels: ReadonlyArray<string>;
  readonly folderId: string;
}

interface Changed {
  readonly unread?: boolean | undefined;
  readonly flagged?: boolean | undefined;
  readonly addLabels?: ReadonlyArray<string> | undefined;
  readonly removeLabels?: ReadonlyArray<string> | undefined;
}

const namesIn = (names: ReadonlyArray<string> | undefined, has: (name: string) => boolean) => {
  const kept = (names ?? []).filter(has);
  return kept.length === 0 ? undefined : kept;
};

/**
 * Returns the calls of `organize` that restore the state of each message; messages with the same change share a call.
 */
export const undoCalls = (before: ReadonlyArray<MessageBefore>, changed: Changed, isMoved: boolean) => {
  const calls = new Map<string, { change: object; ids: Array<string> }>();
  for (const { id, unread, flagged, labels, folderId } of before) {
    const had = new Set(labels.map((label) => label.toLowerCase()));
    const change = {
      read: changed.unread === undefined || changed.unread === unread ? undefined : !unread,
      flagged: changed.flagged === undefined || changed.flagged === flagged ? undefined : flagged,
      addLabels: namesIn(changed.removeLabels, (label) => had.has(label.toLowerCase())),
      removeLabels: namesIn(changed.addLabels, (label) => !had.has(label.toLowerCase())),
      moveTo: isMoved ? folderId : undefined,
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const key = JSON.stringify(given);
    const call = calls.get(key) ?? { change: given, ids: [] };
    call.ids.push(id);
    if (key !== "{}") calls.set(key, call);
  }
  return [...calls.values()].map(({ change, ids }) => ({ ids, ...change }));
};
