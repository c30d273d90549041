import { Clock, Context, Effect, Layer, Result } from "effect";
import { type Folder, Folders } from "../folders/index.ts";
import { type MailboxAccessError, MailServerError } from "../mail/index.ts";
import { rootOfThread } from "../mail/neighbours.ts";
import type { AccountId, InputInvalid } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { MessageNotFound } from "./errors.ts";
import { MessageLocator } from "./MessageLocator.ts";
import { Messages } from "./Messages.ts";
import type { ReadMessage } from "./ReadMessage.ts";
import { splitQuoted } from "./split-quoted.ts";
import { MessageReader } from "./ports/MessageReader.ts";
import { MessageSearch } from "./ports/MessageSearch.ts";
import { messageFields } from "./rules.ts";
import { firstAndLatest, relatedIds } from "./related-ids.ts";
import {
  type FolderEntry,
  type Incomplete,
  incompleteness,
  readFinds,
  type Searched,
  searchableFolders,
  searchFolders,
} from "./search-folders.ts";
import type { SearchCriteria } from "./SearchCriteria.ts";
import { shownIds } from "./shown-ids.ts";

/** The maximum number of messages shown of a conversation: the newest. */
const MAX_MESSAGES = 200;

/** The number of texts read concurrently, and the number of characters shown of each. */
const TEXTS_AT_ONCE = 2;
const MAX_TEXT = 64 * 1024;

/** A message of a conversation. */
export interface ThreadEntry extends FolderEntry {
  /** The message's text without quoted history; absent unless requested. */
  readonly newText?: string | null;
}

type LeftFolder = Searched["left"][number];

/** A conversation, as far as it was found within the time limit. */
export interface Conversation {
  /** The messages, oldest first. */
  readonly emails: ReadonlyArray<ThreadEntry>;
  /** The folders that were not searched before the time ended. */
  readonly incomplete: Incomplete | null;
}

/** The time limit for searching folders for a conversation, in milliseconds. */
const THREAD_MILLIS = 10_000;

const newTextOf = ({ parsed }: ReadMessage): string | null => {
  const text = Result.getOrNull(parsed)?.text ?? null;
  return text === null ? null : splitQuoted(text).newText.slice(0, MAX_TEXT);
};

/** The maximum number of rounds in which the likely folders are searched for newly found Message-IDs. */
const LIKELY_ROUNDS = 3;

const checkThread = checkerOf({ id: messageFields.threadId, include: messageFields.include });

const THREAD_ID = /^[A-Za-z0-9_-]{1,255}$/;

/** Lists conversations (spec 5): by the mail server's thread identifiers, or else by References. */
export class Threads extends Context.Service<
  Threads,
  {
    /** Returns the conversation of a message id or a `threadId` from all folders; with new texts if requested. */
    readonly list: (
      account: AccountId,
      id: string,
      include?: "text",
    ) => Effect.Effect<Conversation, InputInvalid | MailboxAccessError | MessageNotFound>;
  }
>()("@postern/core/messages/Threads") {
  static readonly layer = Layer.effect(
    Threads,
    Effect.gen(function* () {
      const locator = yield* MessageLocator;
      const reader = yield* MessageReader;
      const allFolders = yield* Folders;
      const search = yield* MessageSearch;
      const names = yield* shownIds;
      const messages = yield* Messages;

      /** Reads the new text of each message of the conversation; null if a message has none, or was deleted. */
      const withTexts = (account: AccountId, entries: ReadonlyArray<FolderEntry>) =>
        Effect.forEach(
          entries,
          (entry) =>
            Effect.map(
              Effect.catchTag(messages.read(account, entry.id), "MessageNotFound", () => Effect.undefined),
              (read): ThreadEntry => ({ ...entry, newText: read === undefined ? null : newTextOf(read) }),
            ),
          { concurrency: TEXTS_AT_ONCE },
        );

      const readEntries = Effect.fnUntraced(function* (
        account: AccountId,
        folders: ReadonlyArray<Folder>,
        criteria: SearchCriteria,
        until: number,
      ) {
        const time = until - (yield* Clock.currentTimeMillis);
        // A server that searches only for ASCII finds no Message-ID with other characters.
        const { finds, left } = yield* Effect.catchTag(
          searchFolders(search, account, folders, criteria, time),
          "SearchCharsetRefused",
          () => Effect.succeed({ finds: [], left: [] }),
        );
        const newest = finds.map((found) => ({ ...found, uids: found.uids.slice(-MAX_MESSAGES) }));
        const filled = newest.filter(({ uids }) => uids.length > 0);
        return { entries: yield* readFinds(search, names, account, filled), left };
      });

      const openMessage = (account: AccountId, id: string) =>
        locator.withMessage(account, id, ({ id: now, place, folder: { id: folderId } }) =>
          Effect.map(Effect.scoped(reader.open(account, place)), ({ summary, header }) => ({
            alone: { id: now, folderId, path: place.path, uidValidity: place.uidValidity, message: summary },
            path: place.path,
            names: relatedIds(header),
          })),
        );

      /** Finds a conversation by References. The likely folders are searched first. The other folders are searched once, for all Message-IDs known by then. */
      const findRelated = Effect.fnUntraced(function* (
        account: AccountId,
        folders: ReadonlyArray<Folder>,
        named: LocatedNames,
        until: number,
      ) {
        const known = new KnownNames(named.names);
        const found = new Map<string, FolderEntry>();
        const left = new Set<LeftFolder>();
        const searchIn = Effect.fnUntraced(function* (some: ReadonlyArray<Folder>) {
          const names = known.newTo(some);
          if (names.length === 0) return;
          const read = yield* readEntries(account, some, { related: firstAndLatest(names) }, until);
          for (const folder of read.left) left.add(folder);
          for (const entry of read.entries) {
            found.set(entry.id, entry);
            known.add(entry.message.messageId);
          }
        });
        const readOldest = Effect.fnUntraced(function* (before: FolderEntry | undefined) {
          const oldest = byArrival([...found.values()])[0];
          // The oldest message found may refer to still earlier messages, whose ids later answers omit.
          if (oldest !== undefined && oldest.id !== before?.id) {
            for (const name of (yield* openMessage(account, oldest.id)).names) known.add(name);
          }
          return oldest;
        });
        const rank = ({ path, role }: Folder) =>
          path === named.path ? 0 : role === "inbox" || role === "sent" ? 1 : 2;
        const likely = folders.filter((folder) => rank(folder) < 2).toSorted((one, other) => rank(one) - rank(other));
        const others = folders.filter((folder) => rank(folder) === 2);
        let oldest: FolderEntry | undefined;
        for (let round = 0; round < LIKELY_ROUNDS; round++) {
          yield* searchIn(likely);
          oldest = yield* readOldest(oldest);
        }
        yield* searchIn(others);
        const isOlder = (yield* readOldest(oldest))?.id !== oldest?.id;
        yield* searchIn(likely);
        if (isOlder) yield* searchIn(others);
        return { entries: [...found.values()], left: [...left] };
      });

      const list = Effect.fn("Threads.list")(function* (account: AccountId, id: string, include?: "text") {
        yield* checkThread({ id, include });
        const message = yield* Effect.catchTag(openMessage(account, id), "MessageNotFound", () => Effect.undefined);
        if (message === undefined && !THREAD_ID.test(id)) return yield* new MessageNotFound();
        const threadId = message === undefined ? id : message.alone.message.threadId;
        const root = threadId === null ? null : rootOfThread(threadId);
        const filled = (yield* searchableFolders(allFolders, account)).filter(({ totalCount }) => totalCount > 0);
        // If a message is in several folders, the requested copy is listed.
        const isAsked = ({ path }: Folder) => path === message?.alone.path;
        const folders = filled.toSorted((one, other) => Number(isAsked(other)) - Number(isAsked(one)));
        const until = (yield* Clock.currentTimeMillis) + THREAD_MILLIS;
        const named = message ?? { path: null, names: root === null ? [] : [root] };
        const { entries, left } =
          threadId !== null && root === null
            ? yield* readEntries(account, folders, { threadId }, until)
            : yield* findRelated(account, folders, named, until);
        const all = message === undefined ? entries : [message.alone, ...entries];
        const once = new Map(all.map((one) => [one.id, one]));
        if (once.size === 0) return yield* left.length === 0 ? new MessageNotFound() : searchTimeout();
        const shown = byArrival([...once.values()]).slice(-MAX_MESSAGES);
        return {
          emails: include === undefined ? shown : yield* withTexts(account, shown),
          incomplete: incompleteness(left),
        };
      });

      return Threads.of({ list });
    }),
  );
}

/** Message-IDs of a conversation, and the folder of the message whose header contains them. */
interface LocatedNames {
  readonly path: string | null;
  readonly names: ReadonlyArray<string>;
}

/** The known Message-IDs of a conversation, and the ids for which each folder was searched. */
class KnownNames {
  readonly #names: Set<string>;
  readonly #searched = new Map<Folder, Set<string>>();

  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
  }

  add(name: string | null): void {
    if (name !== null) this.#names.add(name);
  }

  /** Returns the Message-IDs for which one of these folders was not searched yet, and marks all of them as searched. */
  newTo(folders: ReadonlyArray<Folder>): ReadonlyArray<string> {
    const names = [...this.#names].filter((name) =>
      folders.some((folder) => this.#searched.get(folder)?.has(name) !== true),
    );
    for (const folder of folders) this.#searched.set(folder, new Set(this.#names));
    return names;
  }
}

/** The conversation may be in a folder that was not searched. */
const searchTimeout = () =>
  new MailServerError({
    reason: "timeout",
    operation: "search",
    detail: "the conversation was not found in 10 seconds, and not all folders were searched",
  });

const byArrival = (entries: ReadonlyArray<FolderEntry>): ReadonlyArray<FolderEntry> =>
  entries.toSorted(
    (one, other) => one.message.arrivedAt - other.message.arrivedAt || one.message.uid - other.message.uid,
  );
