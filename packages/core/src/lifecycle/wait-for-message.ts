import { Clock, Duration, Effect, Option, Result, Schema, type Scope } from "effect";
import type { EventLedger, MailEvent } from "../events/index.ts";
import { INBOX_ALONE, isInFeed } from "../events/neighbours.ts";
import type { FolderAmbiguous, FolderNotFound, FolderNotSelectable, MailboxAccessError } from "../mail/index.ts";
import type { Inbox, InboxEntry, InboxPage, Messages, ReadMessage } from "../messages/index.ts";
import type { InboxRequest } from "../messages/neighbours.ts";
import type { AccountId, InputInvalid, OpaqueIds, StoreUnavailable } from "../shared/index.ts";
import { checkerOf, type IdScopes, latin1Text, type MailboxKey, storedJson } from "../shared/neighbours.ts";
import { keepWatched, type WatchStarter } from "../watch/neighbours.ts";
import { codesIn } from "./codes-in.ts";
import { linksIn } from "./links-in.ts";
import { type FeedExpired, type FeedPorts, numberIn, positionAt, readAfter } from "./read-feed.ts";
import { waitFields } from "./rules.ts";

/** A request to wait for a message, described by parts of its texts, compared without case (spec 5.6). */
export interface WaitRequest {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly subject?: string | undefined;
  /** A part of the message's text. */
  readonly contains?: string | undefined;
  /** Ids, roles or names of folders; by default INBOX. */
  readonly folders?: ReadonlyArray<string> | undefined;
  /** The maximum wait in seconds. */
  readonly timeout?: number | undefined;
  /** A position of the feed. Messages that INBOX received after it match too. */
  readonly after?: string | undefined;
}

/** The message that arrived, and the position of the feed up to which INBOX was checked. */
export interface AwaitedMessage {
  readonly message: ReadMessage | null;
  readonly codes: ReadonlyArray<string>;
  readonly links: ReadonlyArray<string>;
  readonly next: string;
}

/** The ports that a waiting request needs. */
export interface WaitPorts extends FeedPorts {
  readonly ledger: EventLedger["Service"];
  readonly watching: WatchStarter["Service"];
  readonly inbox: Inbox["Service"];
  readonly messages: Messages["Service"];
  readonly ids: OpaqueIds["Service"];
  readonly scopes: typeof IdScopes.Service;
}

export type WaitError =
  | InputInvalid
  | FeedExpired
  | MailboxAccessError
  | FolderNotFound
  | FolderAmbiguous
  | FolderNotSelectable
  | StoreUnavailable;

const DEFAULT_TIMEOUT = 60;
/** The interval in milliseconds between checks of folders without arrival events. */
const CHECK_INTERVAL_MILLIS = 3_000;
const PAGE = 50;
const INBOX = "inbox";
const ARRIVALS = {
  types: ["email.received" as const],
  isWanted: (event: MailEvent) => isInFeed(INBOX_ALONE, event),
};

const check = checkerOf(waitFields);
const received = storedJson(Schema.Struct({ data: Schema.Struct({ id: Schema.String }) }));

/** A folder and the last checked message in it. */
interface SeenFolder {
  readonly id: string;
  /** The folder's mailbox. */
  readonly key: MailboxKey;
  readonly uidValidity: number;
  /** The highest UID. */
  readonly uid: number;
}

const containsText = (text: string, wanted: string | undefined): boolean =>
  wanted === undefined || text.toLowerCase().includes(wanted.toLowerCase());

const formatPeople = (people: ReadonlyArray<{ readonly name: string; readonly address: string }>): string =>
  people.map(({ name, address }) => `${name} <${address}>`).join(", ");

const isWanted = (request: WaitRequest, { summary, parsed }: ReadMessage): boolean => {
  const text = Result.getOrNull(parsed)?.text ?? "";
  const { from, to, subject } = summary;
  return (
    containsText(formatPeople(from === null ? [] : [from]), request.from) &&
    containsText(formatPeople(to), request.to) &&
    containsText(subject, request.subject) &&
    containsText(text.replaceAll(/\s+/g, " "), request.contains?.replaceAll(/\s+/g, " "))
  );
};

/**
 * Waits for the first matching message that arrives after the call began or, in INBOX, after a position of the feed.
 * Checks `isAllowed` after each wait. Returns null at the timeout, or once `ended` completes.
 */
export const waitForMessage = Effect.fn("waitForMessage")(function* <E>(
  ports: WaitPorts,
  account: AccountId,
  request: WaitRequest,
  isAllowed: Effect.Effect<void, E>,
  ended: Effect.Effect<void>,
): Effect.fn.Return<AwaitedMessage, E | WaitError, Scope.Scope> {
  yield* check(request);
  const { ledger, watching, inbox, messages, ids, scopes } = ports;
  const scope = yield* scopes.of(account);
  const { after, folders = [INBOX], timeout = DEFAULT_TIMEOUT } = request;
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.seconds(timeout));
  const appended = yield* ledger.watchAppends(account);
  let feed = yield* ledger.numberEvents;
  let number = after === undefined ? feed.last : yield* numberIn(after, feed);

  const list = (wanted: InboxRequest) =>
    Effect.map(Effect.catchTag(inbox.list(account, wanted), "CursorMalformed", Effect.die), ({ page }) => page);

  const seen = new Map<string, SeenFolder>();
  const see = ({ folder: { id, key, uidValidity }, emails }: InboxPage) =>
    seen.set(id, { id, key, uidValidity, uid: emails[0]?.message.uid ?? 0 });
  const first = (folder: string) => Effect.catchTag(list({ folder, limit: 1 }), "CursorStale", Effect.die);
  for (const page of yield* Effect.forEach(folders, first, { concurrency: "unbounded" })) see(page);
  const before = after === undefined ? seen.get(INBOX) : undefined;
  const isWatched = seen.has(INBOX);
  if (isWatched) {
    yield* watching.begin(account);
    yield* Effect.forkScoped(keepWatched(watching.begin(account)));
  }

  /** Returns the ids of messages that arrived in a folder since its last check, the oldest first. */
  const newIn = Effect.fnUntraced(function* (known: SeenFolder) {
    const found: Array<InboxEntry> = [];
    for (let cursor: string | undefined, isLast = false; !isLast;) {
      const page: InboxPage = yield* list({ folderId: known.id, limit: PAGE, cursor });
      if (page.folder.key !== known.key || page.folder.uidValidity !== known.uidValidity) {
        see(page);
        return [];
      }
      const fresh = page.emails.filter(({ message }) => message.uid > known.uid);
      found.push(...fresh);
      cursor = page.nextCursor ?? undefined;
      isLast = fresh.length < PAGE || cursor === undefined;
    }
    seen.set(known.id, { ...known, uid: found[0]?.message.uid ?? known.uid });
    return found.map(({ id }) => id).toReversed();
  });

  const isOlder = (id: string): boolean => {
    if (before === undefined) return false;
    const ref = Option.getOrUndefined(ids.messageRef(scope, id, [INBOX]));
    return ref?.uidValidity === before.uidValidity && ref.uid <= before.uid;
  };

  /** Returns the ids of the messages that INBOX received since the position, the oldest first, each with its position. */
  const announced = Effect.fnUntraced(function* () {
    const { found, place, more } = yield* readAfter(ports, { account }, feed, number, ARRIVALS, PAGE);
    number = place;
    const arrived = found.flatMap((entry) => {
      const id = Option.getOrUndefined(received.read(latin1Text(entry.event.body)))?.data.id;
      return id === undefined || isOlder(id) ? [] : [[id, entry.position] as const];
    });
    return { arrived: new Map(arrived), more };
  });

  // Messages that arrived in INBOX before it was watched have no event.
  let looksAtInbox = before !== undefined;
  let isEnded = false;
  for (;;) {
    const { arrived, more } = isWatched ? yield* announced() : { arrived: new Map<string, number>(), more: false };
    const others = [...seen.values()].filter(({ id }) => id !== INBOX || looksAtInbox);
    looksAtInbox = false;
    const listed = yield* Effect.forEach(others, (folder) =>
      Effect.catchTag(newIn(folder), "CursorStale", () => Effect.succeed([])),
    );
    for (const id of new Set([...arrived.keys(), ...listed.flat()])) {
      const message = yield* Effect.catchTag(messages.read(account, id), "MessageNotFound", () => Effect.succeed(null));
      if (message === null || !isWanted(request, message)) continue;
      const { text, html } = Result.getOrElse(message.parsed, () => ({ text: null, html: null }));
      const codes = codesIn(message.summary.subject, text ?? "");
      // Messages that arrived later are left for the next request.
      return { message, codes, links: linksIn(text, html), next: positionAt(feed, arrived.get(id) ?? number) };
    }
    const left = isEnded ? 0 : until - (yield* Clock.currentTimeMillis);
    if (left <= 0 && !more) return { message: null, codes: [], links: [], next: positionAt(feed, number) };
    if (!more) {
      const pause = Math.min(left, others.length > 0 ? CHECK_INTERVAL_MILLIS : left);
      const woken = Effect.as(Effect.timeoutOption(appended, pause), false);
      isEnded = yield* Effect.raceFirst(woken, Effect.as(ended, true));
    }
    yield* isAllowed;
    feed = yield* ledger.numberEvents;
  }
}, Effect.scoped);
