import { Context, Effect, Layer } from "effect";
import { AccountDirectory, AccountSettings } from "../accounts/index.ts";
import { findAccountAtServer } from "../accounts/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import type { PreviewedText } from "./choose-bodies.ts";
import type { InboxEntry } from "./InboxPage.ts";
import { MessageParser } from "./ports/MessageParser.ts";
import { MessageReader } from "./ports/MessageReader.ts";
import { previewOf, saysNothing } from "./preview-of.ts";

/** How many previews of one account are kept, and of how many accounts: some 20 MB in all. */
const MAX_KEPT = 500;
const MAX_ACCOUNTS = 100;

/** A listed message, and where it is. */
export interface PlacedEntry extends InboxEntry {
  readonly path: string;
  readonly uidValidity: number;
}

/** Adds previews to listed messages (spec 12.3). */
export class Previews extends Context.Service<
  Previews,
  {
    /**
     * Returns the previews of messages by their ids, null if a message has no text. Previews that are not cached are
     * fetched at once from all mailboxes, and once more for messages whose text begins further down in their HTML; if
     * fetching fails, the map lacks these previews.
     */
    readonly of: (
      account: AccountId,
      entries: ReadonlyArray<PlacedEntry>,
    ) => Effect.Effect<ReadonlyMap<string, string | null>>;
  }
>()("@postern/core/messages/Previews") {
  static readonly layer = Layer.effect(
    Previews,
    Effect.gen(function* () {
      const reader = yield* MessageReader;
      const parser = yield* MessageParser;
      const settings = yield* AccountSettings;
      const directory = yield* AccountDirectory;
      /** By account and server, because another server may have other mail under the same ids. */
      const kept = new Map<string, Map<string, string | null>>();

      const keptOf = Effect.fnUntraced(function* (account: AccountId) {
        const home = yield* findAccountAtServer(settings, directory, account);
        const known = kept.get(home) ?? new Map<string, string | null>();
        kept.delete(home);
        kept.set(home, known);
        if (kept.size > MAX_ACCOUNTS) kept.delete(kept.keys().next().value!);
        return known;
      });

      const read = Effect.fnUntraced(function* (
        account: AccountId,
        entries: ReadonlyArray<PlacedEntry>,
        kind: PreviewedText,
      ) {
        const groups = [...Map.groupBy(entries, ({ path, uidValidity }) => `${uidValidity} ${path}`).values()];
        const asked = groups.map((group) => ({ ...group[0]!, uids: group.map(({ message }) => message.uid) }));
        const texts = asked.length === 0 ? [] : yield* reader.readPreviewTexts(account, asked, kind);
        const present = texts.flatMap((of) => [...of.values()].filter((text) => text !== null));
        const plain = present.length === 0 ? [] : yield* parser.previews(account, present);
        const previews = new Map(present.map((text, n) => [text, previewOf(plain[n] ?? "")]));
        return new Map(
          groups.flatMap((group, n) =>
            group.flatMap(({ id, message: { uid } }): ReadonlyArray<readonly [string, string | null]> => {
              const text = texts[n]!.get(uid);
              return text === undefined ? [] : [[id, text === null ? null : (previews.get(text) ?? null)]];
            }),
          ),
        );
      });

      const fetchPreviews = Effect.fnUntraced(function* (account: AccountId, entries: ReadonlyArray<PlacedEntry>) {
        const first = yield* read(account, entries, "plain");
        const silent = entries.filter(({ id }) => first.has(id) && saysNothing(first.get(id)!));
        if (silent.length === 0) return first;
        const rich = yield* read(account, silent, "html");
        return new Map([...first].map(([id, preview]) => [id, rich.get(id) ?? preview]));
      });

      const of = Effect.fn("Previews.of")(function* (account: AccountId, entries: ReadonlyArray<PlacedEntry>) {
        const known = yield* Effect.orElseSucceed(keptOf(account), () => new Map<string, string | null>());
        const missing = entries.filter(({ id }) => !known.has(id));
        const found = yield* Effect.catch(fetchPreviews(account, missing), (error) =>
          Effect.as(Effect.logWarning("fetching previews failed", error._tag), new Map<string, string | null>()),
        );
        for (const [id, preview] of found) known.set(id, preview);
        const previews = new Map(entries.flatMap(({ id }) => (known.has(id) ? [[id, known.get(id)!] as const] : [])));
        while (known.size > MAX_KEPT) known.delete(known.keys().next().value!);
        return previews;
      });

      return Previews.of({ of });
    }),
  );
}
