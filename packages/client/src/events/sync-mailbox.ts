import { ApiProblem } from "../calls/ApiProblem.ts";
import { backoffMillis, pause } from "../calls/pause.ts";
import { type Fetch, until } from "../calls/send-to-service.ts";
import type { CallOptions } from "../contract/CallOptions.ts";
import type { Email, EventData } from "../contract/contract.d.ts";
import type { MailEvent } from "./MailEvent.ts";

/** The handlers of a program for the changes of a mailbox. The next change waits for the promise of a handler. */
export interface SyncOptions extends CallOptions {
  /** The position that the program stored last; by default the mailbox is listed first. */
  readonly position?: string | null | undefined;
  /**
   * Stores the position, before which all changes are handled. After a restart the later changes are delivered again.
   */
  readonly onPosition?: ((position: string) => void | Promise<void>) | undefined;
  /** Stores a message, which may already be stored. */
  readonly onMessage: (message: Email) => void | Promise<void>;
  /** Stores the folder of a moved message, whose `id` stays. `onMessage` gets the message first, if it still exists. */
  readonly onMoved: (moved: EventData["email.moved"]) => void | Promise<void>;
  /** Stores the flags and labels of a message. */
  readonly onFlags: (flags: EventData["email.flags_changed"]) => void | Promise<void>;
  /** Removes a message, which may be unknown. */
  readonly onGone: (id: string) => void | Promise<void>;
  /**
   * Returns the ids of the messages that the program has. After a comparison, `onGone` is called for each message that
   * is no longer in the mailbox; without `known` these messages stay.
   */
  readonly known?: (() => Iterable<string> | AsyncIterable<string>) | undefined;
}

interface Feed {
  readonly data: ReadonlyArray<MailEvent>;
  readonly next: string;
  readonly more: boolean;
}

interface Listing {
  readonly data: ReadonlyArray<Email>;
  readonly nextCursor: string | null;
}

const FOLDERS = "*,junk,trash";
const WAIT_SECONDS = 30;
const FIRST_WAIT_MILLIS = 1_000;
const MAX_WAIT_MILLIS = 30_000;
/** Maximum number of searches for the copy of a sent message, and the wait between them. */
const COPY_TRIES = 5;
const COPY_WAIT_MILLIS = 1_000;
/**
 * The time for which the client looks for a message that is missing at the place of its arrival. Another client may
 * have moved the message; its id finds it again only when the service knows of the move.
 */
const MISSING_MILLIS = 180_000;
const MISSING_WAIT_SECONDS = 5;

/**
 * Keeps a copy of a mailbox in step (spec 5.7, 7.10) until the signal is aborted: lists all folders, follows the feed,
 * and compares again after the feed expired. The account must follow all folders. Temporary faults are retried; any
 * other refusal, and the error of a handler, rejects.
 */
export const syncMailbox = async (baseUrl: string, send: Fetch, options: SyncOptions): Promise<never> => {
  const { signal, onMessage, onMoved, onFlags, onGone, onPosition, known } = options;

  /** Returns an answer; repeats a request after a temporary fault. */
  const ask = async <Answer>(path: string, query: Readonly<Record<string, string>> = {}): Promise<Answer> => {
    for (let failures = 0; ; failures++) {
      try {
        const response = await send(`${baseUrl}${path}?${new URLSearchParams(query)}`, until(signal));
        return (await response.json()) as Answer;
      } catch (problem) {
        signal?.throwIfAborted();
        if (!(problem instanceof ApiProblem) || !mayPass(problem)) throw problem;
        await pause(backoffMillis(failures, FIRST_WAIT_MILLIS, MAX_WAIT_MILLIS), signal);
      }
    }
  };

  /**
   * Stores the current state of a message; returns whether it was found. A message that is gone has a separate event.
   */
  const read = async (id: string): Promise<boolean> => {
    const message = await ask<{ readonly data: Email }>(`/api/messages/${encodeURIComponent(id)}`).catch(
      isCode("message_not_found"),
    );
    if (message !== null) await onMessage(message.data);
    return message !== null;
  };

  /** The arrivals that were not found, with the end of the search for each. */
  const missing = new Map<string, number>();

  const readArrival = async (id: string) => {
    if (!missing.has(id)) missing.set(id, Date.now() + MISSING_MILLIS);
    if ((await read(id)) || missing.get(id)! < Date.now()) missing.delete(id);
  };

  /** Stores the copy in Sent of a message that the service sent. The copy appears after the event. */
  const readCopy = async (messageId: string) => {
    for (let tries = 0; tries < COPY_TRIES; tries++) {
      const found = await ask<{ readonly emails: ReadonlyArray<Email> }>("/api/search", {
        messageId,
        preview: "false",
      });
      for (const email of found.emails) await onMessage(email);
      if (found.emails.length > 0) return;
      await pause(COPY_WAIT_MILLIS, signal);
    }
  };

  const apply = async (event: MailEvent): Promise<void> => {
    switch (event.event) {
      case "email.received":
        return readArrival(event.data.id);
      case "email.sent":
        return event.data.id === undefined
          ? readCopy(event.data.providerMessageId ?? event.data.messageId)
          : readArrival(event.data.id);
      case "draft.changed":
        if (event.data.removed !== true) await read(event.data.id);
        else await onGone(event.data.id);
        return;
      case "email.moved":
        // During the listing, the message may have been in neither place.
        await readArrival(event.data.id);
        return onMoved(event.data);
      case "email.flags_changed":
        return onFlags(event.data);
      case "email.deleted":
        missing.delete(event.data.id);
        return onGone(event.data.id);
      default:
    }
  };

  /** Lists all folders, and removes messages that no folder has. */
  const list = async () => {
    const listed = new Set<string>();
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: Listing = await ask("/api/messages", { folders: FOLDERS, ...(cursor === "" ? {} : { cursor }) });
      for (const email of page.data) {
        await onMessage(email);
        listed.add(email.id);
      }
      cursor = page.nextCursor;
    }
    const gone: Array<string> = [];
    for await (const id of known?.() ?? []) if (!listed.has(id)) gone.push(id);
    for (const id of gone) await onGone(id);
  };

  /** Lists the mailbox, and returns the position of the feed before the listing. */
  const compare = async (): Promise<string> => {
    for (;;) {
      const { next } = await ask<Feed>("/api/changes", { folders: FOLDERS });
      const isListed = await list().then(() => true, isCode("cursor_expired"));
      if (isListed !== null) return next;
    }
  };

  let stored = options.position ?? null;
  for (let position = stored; ;) {
    const looked = [...missing.keys()];
    const wait = looked.length > 0 ? MISSING_WAIT_SECONDS : WAIT_SECONDS;
    const query = { after: position ?? "", folders: FOLDERS, wait: String(wait) };
    const part = position === null ? null : await ask<Feed>("/api/changes", query).catch(isCode("feed_expired"));
    for (const event of part?.data ?? []) await apply(event);
    if (part === null) missing.clear();
    else for (const id of looked) if (missing.has(id)) await readArrival(id);
    position = part === null ? await compare() : part.next;
    // A program that ends during the search for a message gets its arrival again.
    if (missing.size === 0 && position !== stored) await onPosition?.((stored = position));
    signal?.throwIfAborted();
  }
};

const mayPass = ({ status }: ApiProblem): boolean => status === 0 || status === 429 || status >= 500;

/** Returns a handler that returns null for a problem with this code, and throws any other error. */
const isCode =
  (code: string) =>
  (problem: unknown): null => {
    if (problem instanceof ApiProblem && problem.code === code) return null;
    throw problem;
  };
