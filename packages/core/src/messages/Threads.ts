import { Context, Effect, Layer } from "effect";
import type { MailboxAccessError } from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import { MessageNotFound } from "./errors.ts";
import { type FolderEntry, folderSearch } from "./FolderSearch.ts";
import { MessageLocator } from "./MessageLocator.ts";
import { MessageReader } from "./ports/MessageReader.ts";
import { relatedIds, someOf } from "./related-ids.ts";
import type { SearchCriteria } from "./SearchCriteria.ts";

/** Messages of one conversation that are shown: the newest. */
const MOST_MESSAGES = 200;

const THREAD_ID = /^[A-Za-z0-9_-]{1,255}$/;

/** Conversations (spec 5): by the mail server's thread identifiers, else by References. */
export class Threads extends Context.Service<
  Threads,
  {
    /** The conversation of a message, or of a `threadId`, in all folders, oldest first. */
    readonly list: (
      account: AccountId,
      id: string,
    ) => Effect.Effect<ReadonlyArray<FolderEntry>, MailboxAccessError | MessageNotFound>;
  }
>()("@postern/core/messages/Threads") {
  static readonly layer = Layer.effect(
    Threads,
    Effect.gen(function* () {
      const locator = yield* MessageLocator;
      const reader = yield* MessageReader;
      const { all, find, show } = yield* folderSearch;

      const entries = Effect.fnUntraced(function* (account: AccountId, criteria: SearchCriteria) {
        const found: Array<FolderEntry> = [];
        for (const finds of yield* find(account, yield* all(account), criteria)) {
          found.push(...(yield* show(account, finds, finds.uids.slice(-MOST_MESSAGES))));
        }
        return found;
      });

      const opened = (account: AccountId, id: string) =>
        locator.at(account, id, ({ id: now, place }) =>
          Effect.map(Effect.scoped(reader.open(account, place)), ({ summary, header }) => ({
            alone: { id: now, path: place.path, message: summary },
            names: relatedIds(header),
          })),
        );

      const related = Effect.fnUntraced(function* (account: AccountId, names: ReadonlyArray<string>) {
        const first = yield* entries(account, { related: names });
        // Answers need not name what they began with: the oldest found may know what came before it.
        const [oldest] = first.toSorted(
          (one, other) => one.message.arrivedAt - other.message.arrivedAt || one.message.uid - other.message.uid,
        );
        const before = oldest === undefined ? [] : yield* Effect.map(opened(account, oldest.id), ({ names }) => names);
        const found = first.flatMap(({ message: { messageId } }) => (messageId === null ? [] : [messageId]));
        const others = [...new Set([...before, ...found])].filter((name) => !names.includes(name));
        return others.length === 0 ? first : [...first, ...(yield* entries(account, { related: someOf(others) }))];
      });

      const list = Effect.fn("Threads.list")(function* (account: AccountId, id: string) {
        const message = yield* Effect.catchTag(opened(account, id), "MessageNotFound", () => Effect.undefined);
        if (message === undefined && !THREAD_ID.test(id)) return yield* new MessageNotFound();
        const threadId = message === undefined ? id : message.alone.message.threadId;
        const found =
          threadId !== null ? yield* entries(account, { threadId }) : yield* related(account, message?.names ?? []);
        const once = new Map([...(message === undefined ? [] : [message.alone]), ...found].map((one) => [one.id, one]));
        if (once.size === 0) return yield* new MessageNotFound();
        return [...once.values()]
          .toSorted((one, other) => one.message.arrivedAt - other.message.arrivedAt)
          .slice(-MOST_MESSAGES);
      });

      return Threads.of({ list });
    }),
  );
}
