import { Context, Layer } from "effect";
import type { AccountId } from "../shared/index.ts";

/** A period in which an INBOX did not change: from a complete read of it to the next sign of a change. */
export interface QuietTime {
  isHeard: boolean;
}

/** The INBOXes whose changes this process hears at once, by its own watches (spec 5.1). */
export class LiveInboxes extends Context.Service<
  LiveInboxes,
  {
    /**
     * Records that the INBOX is being read. The returned function records that its changes are heard from then on; it
     * does nothing after a call of `markChanged`.
     */
    readonly startReading: (account: AccountId) => () => void;
    /** Records that the INBOX may have changed, or that its changes are no longer heard. */
    readonly markChanged: (account: AccountId) => void;
    /** Returns the current quiet time, the same object as long as no change is heard; undefined if none is heard. */
    readonly quietTime: (account: AccountId) => QuietTime | undefined;
  }
>()("@postern/core/watch/LiveInboxes") {
  static readonly layer = Layer.sync(LiveInboxes, () => {
    const inboxes = new Map<AccountId, QuietTime>();
    return LiveInboxes.of({
      startReading: (account) => {
        const quiet = { isHeard: false };
        inboxes.set(account, quiet);
        return () => void (quiet.isHeard = true);
      },
      markChanged: (account) => void inboxes.delete(account),
      quietTime: (account) => {
        const quiet = inboxes.get(account);
        return quiet?.isHeard === true ? quiet : undefined;
      },
    });
  });
}
