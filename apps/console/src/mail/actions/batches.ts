import { type BatchAction, enqueueAction } from "./batch-queue.ts";

export interface BatchOutcome {
  /** The new id of each changed message; null if the mail server does not report it. */
  readonly done: ReadonlyMap<string, string | null>;
  /** The ids of messages that no longer exist. */
  readonly missing: ReadonlyArray<string>;
  /** The ids of messages that were not changed, because of `error`. */
  readonly failed: ReadonlyArray<string>;
  readonly error: unknown;
  readonly movedTo: string | null;
}

/** The number of messages in one request: few enough to show progress. */
const AT_ONCE = 250;

/** Acts on messages in batches. After a request that fails, the remaining ones are not attempted. */
export const inBatches = async (
  ids: ReadonlyArray<string>,
  action: BatchAction,
  onProgress: (done: number) => void = () => {},
): Promise<BatchOutcome> => {
  const done = new Map<string, string | null>();
  const missing: Array<string> = [];
  let movedTo: string | null = null;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    try {
      const answer = await enqueueAction(ids.slice(from, from + AT_ONCE), action);
      movedTo = answer.movedTo;
      for (const { id, ok, newId } of answer.results) {
        if (ok) done.set(id, newId);
        else missing.push(id);
      }
    } catch (error) {
      return { done, missing, failed: ids.slice(from), error, movedTo };
    }
    onProgress(done.size + missing.length);
  }
  return { done, missing, failed: [], error: null, movedTo };
};
