import { Context, Layer } from "effect";
import type { AccountId } from "../shared/index.ts";

/** The INBOXes whose changes this process hears at once, by its own watches (spec 5.1). Times are epoch milliseconds. */
export class LiveInboxes extends Context.Service<
  LiveInboxes,
  {
    /**
     * Records that the INBOX is being read. The returned function records that its changes are heard from that time on;
     * it does nothing after a call of `mayHaveChanged`.
     */
    readonly reads: (account: AccountId, at: number) => () => void;
    /** Records that the INBOX may have changed, or that its changes are no longer heard. */
    readonly mayHaveChanged: (account: AccountId) => void;
    /** Returns since when no change was heard; undefined if changes are not heard. */
    readonly quietSince: (account: AccountId) => number | undefined;
  }
>()("@postern/core/watch/LiveInboxes") {
  static readonly layer = Layer.sync(LiveInboxes, () => {
    const inboxes = new Map<AccountId, { readonly readAt: number; isHeard: boolean }>();
    return LiveInboxes.of({
      reads: (account, readAt) => {
        const inbox = { readAt, isHeard: false };
        inboxes.set(account, inbox);
        return () => void (inbox.isHeard = true);
      },
      mayHaveChanged: (account) => void inboxes.delete(account),
      quietSince: (account) => {
        const inbox = inboxes.get(account);
        return inbox?.isHeard === true ? inbox.readAt : undefined;
      },
    });
  });
}
