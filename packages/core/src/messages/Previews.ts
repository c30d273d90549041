import { Context, Deferred, Duration, Effect, Layer, Option } from "effect";
import { AccountDirectory, AccountSettings } from "../accounts/index.ts";
import { findAccountAtServer } from "../accounts/neighbours.ts";
import type { AccountId } from "../shared/index.ts";
import type { PreviewedText } from "./choose-bodies.ts";
import type { InboxEntry } from "./InboxPage.ts";
import { MessageParser } from "./ports/MessageParser.ts";
import { MessageReader } from "./ports/MessageReader.ts";
import { previewOf, isUninformative } from "./preview-of.ts";

/** The number of cached previews of one account, and the number of accounts: about 20 MB in all. */
const MAX_KEPT = 500;
const MAX_ACCOUNTS = 100;

/** The maximum time that a listing waits for the texts of its messages, and then for their previews. */
const TEXTS_WAIT = Duration.millis(300);
const PREVIEWS_WAIT = Duration.seconds(1);

/** Messages whose previews are made together. */
interface Batch {
  readonly texts: Deferred.Deferred<void>;
  readonly previews: Deferred.Deferred<void>;
}

interface Kept {
  readonly previews: Map<string, string | null>;
  readonly fetching: Map<string, Batch>;
}

/** A listed message with its location. */
export interface PlacedEntry extends InboxEntry {
  readonly path: string;
  readonly uidValidity: number;
}

/** Adds previews to listed messages (spec 12.3). */
export class Previews extends Context.Service<
  Previews,
  {
    /**
     * Returns the previews of messages by their ids; null if a message has no text. Previews that are not cached are
     * fetched from all mailboxes together. For messages whose text begins further down in their HTML, more bytes are
     * then fetched. A preview is missing if fetching its text fails or takes longer than 300 ms, or if reading the text
     * then takes longer than a second. A later call returns the missing preview.
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
      const scope = yield* Effect.scope;
      /** Caches by account and server, because another server may have other mail under the same ids. */
      const kept = new Map<string, Kept>();

      const keptOf = Effect.fnUntraced(function* (account: AccountId) {
        const home = yield* findAccountAtServer(settings, directory, account);
        const known = kept.get(home) ?? nothingKept();
        kept.delete(home);
        kept.set(home, known);
        if (kept.size > MAX_ACCOUNTS) kept.delete(kept.keys().next().value!);
        return known;
      });

      const read = Effect.fnUntraced(function* (
        account: AccountId,
        entries: ReadonlyArray<PlacedEntry>,
        kind: PreviewedText,
        { texts: fetched }: Batch,
      ) {
        const groups = [...Map.groupBy(entries, ({ path, uidValidity }) => `${uidValidity} ${path}`).values()];
        const asked = groups.map((group) => ({ ...group[0]!, uids: group.map(({ message }) => message.uid) }));
        const texts = asked.length === 0 ? [] : yield* reader.readPreviewTexts(account, asked, kind);
        yield* Deferred.succeed(fetched, undefined);
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

      const fetchPreviews = Effect.fnUntraced(function* (
        account: AccountId,
        entries: ReadonlyArray<PlacedEntry>,
        batch: Batch,
      ) {
        const first = yield* read(account, entries, "plain", batch);
        const silent = entries.filter(({ id }) => first.has(id) && isUninformative(first.get(id)!));
        if (silent.length === 0) return first;
        const rich = yield* read(account, silent, "html", batch);
        return new Map([...first].map(([id, preview]) => [id, rich.get(id) ?? preview]));
      });

      const keepPreviews = (account: AccountId, entries: ReadonlyArray<PlacedEntry>, kept: Kept, batch: Batch) =>
        fetchPreviews(account, entries, batch).pipe(
          Effect.catch((error) => Effect.as(Effect.logWarning("fetching previews failed", error._tag), NONE)),
          Effect.map((found) => found.forEach((preview, id) => kept.previews.set(id, preview))),
          Effect.ensuring(
            Effect.suspend(() => {
              for (const { id } of entries) kept.fetching.delete(id);
              return Effect.andThen(
                Deferred.succeed(batch.texts, undefined),
                Deferred.succeed(batch.previews, undefined),
              );
            }),
          ),
        );

      const of = Effect.fn("Previews.of")(function* (account: AccountId, entries: ReadonlyArray<PlacedEntry>) {
        const known = yield* Effect.orElseSucceed(keptOf(account), nothingKept);
        const missing = entries.filter(({ id }) => !known.previews.has(id));
        const asked = known.fetching.size < MAX_KEPT ? missing.filter(({ id }) => !known.fetching.has(id)) : [];
        if (asked.length > 0) {
          const batch = { texts: Deferred.makeUnsafe<void>(), previews: Deferred.makeUnsafe<void>() };
          for (const { id } of asked) known.fetching.set(id, batch);
          yield* Effect.forkIn(keepPreviews(account, asked, known, batch), scope, { startImmediately: true });
        }
        const batches = [...new Set(missing.flatMap(({ id }) => known.fetching.get(id) ?? []))];
        const waitFor = (each: keyof Batch, wait: Duration.Duration) =>
          Effect.timeoutOption(
            Effect.forEach(batches, (batch) => Deferred.await(batch[each]), { discard: true }),
            wait,
          );
        if (Option.isSome(yield* waitFor("texts", TEXTS_WAIT))) yield* waitFor("previews", PREVIEWS_WAIT);
        const shown = entries.filter(({ id }) => known.previews.has(id));
        const found = new Map(shown.map(({ id }) => [id, known.previews.get(id)!] as const));
        while (known.previews.size > MAX_KEPT) known.previews.delete(known.previews.keys().next().value!);
        return found;
      });

      return Previews.of({ of });
    }),
  );
}

const NONE: ReadonlyMap<string, string | null> = new Map();

const nothingKept = (): Kept => ({ previews: new Map(), fetching: new Map() });
