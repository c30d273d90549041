import type { AccountId } from "@postern/core/shared";
import { InboxWatch, type WatchedInbox } from "@postern/core/watch";
import type { Mailbox, MailServerInMemory } from "@postern/memory";
import { Clock, Context, Effect, Queue } from "effect";
import { hasNotify } from "./server-traits.ts";

const INBOX = "INBOX";
/** The interval at which every mailbox may have changed, after the server stopped announcing changes, in milliseconds. */
const SILENT = 20_000;

/**
 * Announces the changes of the other mailboxes of some accounts like a server with NOTIFY (RFC 5465). `isOverflown` is asked at
 * each change; from then on the server announces nothing on that connection.
 */
export const announcedChanges = (
  ports: Context.Context<InboxWatch>,
  mail: MailServerInMemory,
  isOverflown: (account: AccountId) => boolean,
): Context.Context<InboxWatch> => {
  const inner = Context.get(ports, InboxWatch);
  const announce = Effect.fnUntraced(function* (account: AccountId, inbox: WatchedInbox) {
    const list = () => mail.account(account).list();
    const news = yield* Queue.sliding<void>(1);
    const listened = new Map<Mailbox, () => void>();
    let heard = new Set<string>();
    let [isAny, isStopped] = [false, false];
    /** When every mailbox may have changed: a node that asks again earlier does not begin the interval again. */
    let allAt = Infinity;
    const listen = () => {
      for (const { path, mailbox } of list()) {
        if (path === INBOX || mailbox === null || listened.has(mailbox)) continue;
        listened.set(
          mailbox,
          mailbox.listen(() => {
            if (isStopped) return;
            isStopped = isOverflown(account);
            const isSame = list().some((one) => one.path === path && one.mailbox === mailbox);
            if (isSame && !isStopped) heard.add(path);
            else isAny = true;
            if (!isSame) listen();
            Queue.offerUnsafe(news, undefined);
          }),
        );
      }
    };
    yield* Effect.addFinalizer(() => Effect.sync(() => listened.forEach((end) => end())));
    const waited = Effect.gen(function* () {
      if (isAny || heard.size > 0) return;
      const now = yield* Clock.currentTimeMillis;
      if (isStopped && allAt === Infinity) allAt = now + SILENT;
      const silence = Effect.andThen(
        Effect.sleep(Math.max(0, allAt - now)),
        Effect.sync(() => ([isAny, allAt] = [true, Infinity])),
      );
      yield* Effect.raceAllFirst([inbox.changed, Queue.take(news), ...(isStopped ? [silence] : [])]);
    });
    return {
      ...inbox,
      announceAll: Effect.andThen(
        inbox.announceAll,
        Effect.sync(() => (listen(), true)),
      ),
      changed: Effect.map(waited, () => {
        const others = isAny ? null : heard;
        [heard, isAny] = [new Set(), false];
        return others;
      }),
    } satisfies WatchedInbox;
  });
  return Context.make(InboxWatch, {
    ...inner,
    open: (account, kind) =>
      Effect.flatMap(inner.open(account, kind), (inbox) =>
        hasNotify(account) ? announce(account, inbox) : Effect.succeed(inbox),
      ),
  });
};
