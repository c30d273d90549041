import { Context, Layer } from "effect";
import type { AccountId } from "../shared/index.ts";

/** A period in which an INBOX did not change, from a complete read to the next sign of a change. */
export interface QuietTime {
  isHeard: boolean;
}

/** The INBOXes whose changes this process notices at once, because it watches them itself (spec 5.1). */
export class LiveInboxes extends Context.Service<
  LiveInboxes,
  {
    /**
     * Records that INBOX is being read. The returned function records that this process notices changes of INBOX from
     * then on. After a call of `markChanged`, the function does nothing.
     */
    readonly startReading: (account: AccountId) => () => void;
    /** Records that INBOX may have changed, or that this process no longer notices its changes. */
    readonly markChanged: (account: AccountId) => void;
    /** Returns the current quiet time, which is the same object until a change; undefined if this process does not notice changes. */
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
