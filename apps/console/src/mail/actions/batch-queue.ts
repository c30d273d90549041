import type { ApiRequest } from "@postern/client/browser";
import { api } from "../../api/client.ts";
import { rememberAction, retryUntilReached } from "../../kept/waiting-actions.ts";

type Batch = NonNullable<ApiRequest<"POST /api/messages/batch">["payload"]>;

/** The action on messages: a change of flags or folder, or a deletion. */
export type BatchAction = Pick<Batch, "change"> | Pick<Batch, "delete">;

type BatchAnswer = Awaited<ReturnType<typeof request>>;

const request = async (ids: ReadonlyArray<string>, action: BatchAction) =>
  (await retryUntilReached(() => api("POST /api/messages/batch", { payload: { ids, ...action } }))).data;

/** An action that waits for the previous action. */
interface Waiting {
  readonly action: string;
  readonly ids: Set<string>;
  readonly answer: Promise<BatchAnswer>;
}

/** The maximum number of messages of a waiting action. More would delay the actions after it. */
const MAX_WAITING = 100;

let waiting: ReadonlyArray<Waiting> = [];
let last: Promise<unknown> = Promise.resolve();

/**
 * Acts on messages in one request, after earlier requests. Waiting requests are joined, because an action on many
 * messages takes the mail server little longer than an action on one, so repeated keys cause few requests. The actions
 * on a message keep the order of the calls. While the service cannot be reached, actions wait.
 */
export const enqueueAction = async (ids: ReadonlyArray<string>, action: BatchAction): Promise<BatchAnswer> => {
  // The page itself, not the user, marks messages as read.
  const isQuiet = "change" in action && action.change?.unread === false;
  const forget = rememberAction({ ids, action }, isQuiet);
  try {
    return await enqueue(ids, action);
  } finally {
    forget();
  }
};

const enqueue = async (ids: ReadonlyArray<string>, action: BatchAction): Promise<BatchAnswer> => {
  if (ids.length > MAX_WAITING) return request(ids, action);
  const asked = new Set(ids);
  const name = JSON.stringify(action);
  const latest = waiting.findLastIndex((one) => ids.some((id) => one.ids.has(id)));
  const joined = waiting.find(
    (one, n) => n >= latest && one.action === name && one.ids.size + ids.length <= MAX_WAITING,
  );
  let answer = joined?.answer;
  if (joined !== undefined) for (const id of ids) joined.ids.add(id);
  else {
    const all = new Set(ids);
    answer = last.then(() => {
      waiting = waiting.filter((one) => one.ids !== all);
      return request([...all], action);
    });
    last = answer.catch(() => {});
    waiting = [...waiting, { action: name, ids: all, answer }];
  }
  const { movedTo, results, ...rest } = await answer!;
  return { ...rest, movedTo, results: results.filter(({ id }) => asked.has(id)) };
};
