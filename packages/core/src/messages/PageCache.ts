import { Clock, Context, Effect, Layer, Metric } from "effect";
import { AccountDirectory, AccountSettings } from "../accounts/index.ts";
import { findAccountAtServer } from "../accounts/neighbours.ts";
import {
  type FolderNotFound,
  type FolderNotSelectable,
  type MailboxAccessError,
  type MessageSummary,
} from "../mail/index.ts";
import type { AccountId } from "../shared/index.ts";
import { LiveInboxes } from "../watch/index.ts";
import type { AgedPage, InboxPage } from "./InboxPage.ts";
import { type KeptPage, KeptPages } from "./KeptPages.ts";
import { MailboxReader, type MailboxState } from "./ports/MailboxReader.ts";
import { ReadCacheSettings } from "./ReadCacheSettings.ts";

/** A client's request for a page of a mailbox. */
export interface PageRequest {
  readonly account: AccountId;
  readonly path: string;
  /** The other fields of the request that determine the page. */
  readonly key: string;
  /** The maximum age of the answer, in milliseconds. */
  readonly maxAge: number;
}

/** A page read from the mail server, with the state of the mailbox at that time. */
export interface PageRead {
  readonly page: InboxPage;
  readonly state: MailboxState | null;
}

const answers = Metric.counter("page_cache_answers_total", {
  description: "Pages of messages: kept and confirmed by a probe or a watch, or read from the mail server",
  incremental: true,
});
const confirmed = Metric.withAttributes(answers, { by: "probe" });
const watched = Metric.withAttributes(answers, { by: "watch" });
const wasRead = Metric.withAttributes(answers, { by: "read" });
const keptBytes = Metric.gauge("page_cache_bytes", { description: "About how many bytes of memory kept pages take" });

/**
 * Keeps pages of mailboxes in memory. An answer is never older than its request (spec 5.1). So a kept page is used only
 * if the mail server confirms, after the request arrived, that the state of the mailbox has not changed since. If the
 * client accepts an answer of some age, no confirmation is needed while this process watches the mailbox and knows of
 * no change.
 */
export class PageCache extends Context.Service<
  PageCache,
  {
    /**
     * Returns the kept page if it is current, or else the result of `read`. `read` gets the messages of the former page
     * by UID: under the same UIDVALIDITY, only their flags may have changed. If a whole page of messages arrived since
     * the former page was read, `read` gets no former messages.
     */
    readonly page: <E>(
      request: PageRequest,
      read: (known: KnownMessages | undefined) => Effect.Effect<PageRead | undefined, E>,
    ) => Effect.Effect<AgedPage | undefined, E | MailboxAccessError | FolderNotFound | FolderNotSelectable>;
  }
>()("@postern/core/messages/PageCache") {
  static readonly layer = Layer.effect(
    PageCache,
    Effect.gen(function* () {
      const reader = yield* MailboxReader;
      const live = yield* LiveInboxes;
      const { bytes, isShort } = yield* ReadCacheSettings;
      const settings = yield* AccountSettings;
      const directory = yield* AccountDirectory;
      const pages = new KeptPages(bytes);
      yield* Metric.update(keptBytes, 0);

      /** Returns whether the page was confirmed recently enough, in a quiet time that still lasts. */
      const isStillConfirmed = ({ account, path, maxAge }: PageRequest, kept: KeptPage, now: number): boolean => {
        const age = now - kept.confirmedAt;
        return (
          path === "INBOX" &&
          age >= 0 &&
          age <= maxAge &&
          kept.quiet !== undefined &&
          kept.quiet === live.quietTime(account)
        );
      };

      const keyOf = ({ account, path, key }: PageRequest) =>
        Effect.map(findAccountAtServer(settings, directory, account), (home) => [home, path, key].join("\n"));

      const page: PageCache["Service"]["page"] = Effect.fnUntraced(function* (request, read) {
        const { account, path } = request;
        const key = yield* keyOf(request);
        const kept = pages.get(key);
        const now = yield* Clock.currentTimeMillis;
        const quiet = live.quietTime(account);
        let known: KnownMessages | undefined;
        if (kept !== undefined) {
          if (request.maxAge > 0 && isStillConfirmed(request, kept, now)) {
            yield* Metric.update(watched, 1);
            return { page: kept.page, age: now - kept.confirmedAt };
          }
          const state = yield* reader.probe(account, path);
          const isKnown = state !== null && state !== "changed";
          if (isKnown && isSame(state, kept.state)) {
            pages.set(key, { ...kept, confirmedAt: now, quiet });
            yield* Metric.update(confirmed, 1);
            return { page: kept.page, age: 0 };
          }
          const arrived = isKnown ? state.uidNext - kept.state.uidNext : 0;
          if (arrived <= kept.page.limit) known = knownOf(kept);
        }
        const found = yield* read(known);
        yield* Metric.update(wasRead, 1);
        if (found === undefined) return undefined;
        if (yield* isShort) pages.clear();
        else if (found.state !== null && (yield* keyOf(request)) === key)
          pages.set(key, { page: found.page, state: found.state, confirmedAt: now, quiet });
        yield* Metric.update(keptBytes, pages.bytes);
        return { page: found.page, age: 0 };
      });

      return PageCache.of({ page });
    }),
  );
}

/** Messages by UID, under one UIDVALIDITY. */
export interface KnownMessages {
  readonly uidValidity: number;
  readonly messages: ReadonlyMap<number, MessageSummary>;
}

const knownOf = ({ page, state }: KeptPage): KnownMessages => ({
  uidValidity: state.uidValidity,
  messages: new Map(page.emails.map(({ message }) => [message.uid, message])),
});

const isSame = (one: MailboxState, other: MailboxState): boolean =>
  one.uidValidity === other.uidValidity &&
  one.uidNext === other.uidNext &&
  one.total === other.total &&
  one.unread === other.unread &&
  one.highestModSeq === other.highestModSeq;
