import type { CallOptions } from "../contract/CallOptions.ts";
import { ApiProblem } from "../calls/ApiProblem.ts";
import type { MailEvent } from "./MailEvent.ts";
import { backoffMillis, pause } from "../calls/pause.ts";
import { type Fetch, until } from "../calls/send-to-service.ts";
import { messagesOf } from "./stream-messages.ts";

/** Options of a stream of events. */
export interface EventsOptions extends CallOptions {
  /** `id` of the last event handled: the events after it come first. Default: from now on. */
  readonly lastEventId?: string | undefined;
  /** Called and awaited when events may be missing before the next one: list the mailbox again. */
  readonly onGap?: (() => void | Promise<void>) | undefined;
}

const FIRST_WAIT_MILLIS = 1_000;
const MAX_WAIT_MILLIS = 30_000;

/**
 * Yields events until the caller leaves the loop or the signal is aborted. A connection that is lost, or silent for 45
 * seconds, is opened again after the last event that the caller finished with. Rejects if the first connection fails,
 * and if the service refuses a later one, such as a session that has ended.
 */
export async function* followEvents(
  baseUrl: string,
  send: Fetch,
  { lastEventId, onGap, signal }: EventsOptions,
): AsyncGenerator<MailEvent, void> {
  let last = lastEventId;
  let wasOpen = false;
  for (let failures = 0; ; failures++) {
    const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
    const response = await send(`${baseUrl}/api/events`, { headers, ...until(signal) }).catch((problem: unknown) => {
      if (wasOpen && mayPass(problem)) return null;
      throw problem;
    });
    if (response?.body != null) {
      wasOpen = true;
      for await (const { id, event, data } of messagesOf(response.body)) {
        failures = 0;
        if (event === "gap") await onGap?.();
        else if (data !== undefined) yield JSON.parse(data) as MailEvent;
        last = id ?? last;
      }
    }
    signal?.throwIfAborted();
    await pause(backoffMillis(failures, FIRST_WAIT_MILLIS, MAX_WAIT_MILLIS), signal);
  }
}

const mayPass = (problem: unknown): boolean =>
  problem instanceof ApiProblem && (problem.status === 0 || problem.status === 429 || problem.status >= 500);
