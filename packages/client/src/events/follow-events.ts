import type { CallOptions } from "../contract/CallOptions.ts";
import { ApiProblem } from "../calls/ApiProblem.ts";
import type { MailEvent } from "./MailEvent.ts";
import { backoffMillis, pause } from "../calls/pause.ts";
import { type Fetch, until } from "../calls/send-to-service.ts";
import { messagesOf } from "./stream-messages.ts";

/** Options of a stream of events. */
export interface EventsOptions extends CallOptions {
  /**
   * The `id` of the last handled event; the events after it are delivered first. By default the stream begins with new
   * events.
   */
  readonly lastEventId?: string | undefined;
  /** Roles and ids of the folders whose events are delivered; `*` means all but Junk and Trash. By default `inbox`. */
  readonly folders?: ReadonlyArray<string> | undefined;
  /**
   * Called and awaited when events may be missing before the next one; the program should then list the mailbox again.
   */
  readonly onGap?: (() => void | Promise<void>) | undefined;
}

const FIRST_WAIT_MILLIS = 1_000;
const MAX_WAIT_MILLIS = 30_000;

/**
 * Yields events until the caller leaves the loop or the signal is aborted. If a connection is lost, or silent for 45
 * seconds, the stream reconnects and continues after the last event that the caller handled. Rejects if the first
 * connection fails, or if the service refuses a later one, for example because the session has ended.
 */
export async function* followEvents(
  baseUrl: string,
  send: Fetch,
  { lastEventId, folders, onGap, signal }: EventsOptions,
): AsyncGenerator<MailEvent, void> {
  const query = folders === undefined ? "" : `?${new URLSearchParams({ folders: folders.join() })}`;
  let last = lastEventId;
  let wasOpen = false;
  for (let failures = 0; ; failures++) {
    const headers = { accept: "text/event-stream", ...(last === undefined ? {} : { "last-event-id": last }) };
    const response = await send(`${baseUrl}/api/events${query}`, { headers, ...until(signal) }).catch(
      (problem: unknown) => {
        if (wasOpen && mayPass(problem)) return null;
        throw problem;
      },
    );
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
