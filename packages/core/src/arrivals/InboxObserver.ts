import { Context, Effect, Layer, Option } from "effect";
import { type MailboxAccessError, type MailboxCursor, MailServerError } from "../mail/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";
import {
  type ArrivedMessage,
  FollowedMailboxes,
  type InboxPoll,
  isIn,
  type KnownMailbox,
  matchFingerprints,
  type SeenMessage,
  type UidRanges,
  type WatchedInbox,
} from "../watch/index.ts";
import { type MailboxObservation, sameFlags } from "../watch/neighbours.ts";

const INBOX = { id: "inbox" };

type FollowedInbox = Omit<KnownMailbox, "seen">;

/** Turns polls of an INBOX into observations, using the recorded messages for what a poll cannot report. */
export class InboxObserver extends Context.Service<
  InboxObserver,
  {
    readonly observationOf: (
      account: AccountId,
      inbox: WatchedInbox,
      known: Option.Option<FollowedInbox>,
      poll: InboxPoll,
    ) => Effect.Effect<MailboxObservation<ArrivedMessage>, MailboxAccessError>;
    /** Returns the recorded messages that an observation is about, by UID. */
    readonly seenFor: (
      account: AccountId,
      known: FollowedInbox,
      observation: MailboxObservation<ArrivedMessage>,
    ) => Effect.Effect<ReadonlyMap<number, SeenMessage>, StoreUnavailable>;
  }
>()("@postern/core/arrivals/InboxObserver") {
  static readonly layer = Layer.effect(
    InboxObserver,
    Effect.gen(function* () {
      const mailboxes = yield* FollowedMailboxes;

      const observationOf = Effect.fnUntraced(function* (
        account: AccountId,
        inbox: WatchedInbox,
        known: Option.Option<FollowedInbox>,
        poll: InboxPoll,
      ): Effect.fn.Return<MailboxObservation<ArrivedMessage>, MailboxAccessError> {
        const nothing = { cursor: poll.cursor, arrived: [], vanished: [], flags: [] };
        if (Option.isNone(known)) return nothing;
        const { cursor, seenFrom } = known.value;
        if (cursor.uidValidity === poll.cursor.uidValidity) {
          return poll.present === undefined ? poll : { ...poll, ...(yield* compared(account, seenFrom, poll)) };
        }
        if (seenFrom > 1) return nothing;
        const whole = yield* wholeOf(inbox, poll.cursor);
        const { unseen } = matchFingerprints(whole, [...(yield* allSeen(account)).values()]);
        return { ...nothing, whole, arrived: yield* inbox.describe(unseen.map(({ uid }) => uid)) };
      });

      /** Compares present with recorded messages, for a server that does not report changes. */
      const compared = Effect.fnUntraced(function* (
        account: AccountId,
        seenFrom: number,
        { present, flags }: Extract<InboxPoll, { readonly present: UidRanges }>,
      ) {
        const flagsOf = new Map(flags.map((one) => [one.uid, one]));
        const vanished: Array<number> = [];
        const changed: Array<(typeof flags)[number]> = [];
        yield* eachSeen(account, seenFrom, (seen) => {
          const now = flagsOf.get(seen.uid);
          if (!isIn(present, seen.uid)) vanished.push(seen.uid);
          else if (now !== undefined && !sameFlags(seen, now)) changed.push(now);
        });
        return { vanished, flags: changed };
      });

      const eachSeen = Effect.fnUntraced(function* (
        account: AccountId,
        seenFrom: number,
        take: (seen: SeenMessage) => void,
      ) {
        for (let from = seenFrom; ;) {
          const some = yield* mailboxes.seenFrom(account, INBOX.id, from);
          const last = some.at(-1);
          if (last === undefined) return;
          for (const seen of some) take(seen);
          from = last.uid + 1;
        }
      });

      const allSeen = Effect.fnUntraced(function* (account: AccountId) {
        const seen = new Map<number, SeenMessage>();
        yield* eachSeen(account, 1, (one) => void seen.set(one.uid, one));
        return seen;
      });

      const seenFor = (
        account: AccountId,
        known: FollowedInbox,
        { cursor, ...observed }: MailboxObservation<ArrivedMessage>,
      ) => {
        if (known.cursor.uidValidity !== cursor.uidValidity) {
          return observed.whole === undefined ? Effect.succeed(new Map()) : allSeen(account);
        }
        const uids = [
          ...observed.vanished,
          ...observed.flags.map(({ uid }) => uid),
          ...observed.arrived.map(({ uid }) => uid),
        ];
        return mailboxes.seenOf(
          account,
          INBOX.id,
          [...new Set(uids)].filter((uid) => uid >= known.seenFrom),
        );
      };

      return InboxObserver.of({ observationOf, seenFor });
    }),
  );
}

/** Returns every message below the cursor. */
const wholeOf = Effect.fnUntraced(function* (inbox: WatchedInbox, { uidValidity, uidNext }: MailboxCursor) {
  const whole: Array<SeenMessage> = [];
  for (let below = uidNext; below > 1;) {
    const slice = yield* inbox.below(below);
    if (slice.uidValidity !== uidValidity) return yield* recreated;
    whole.push(...slice.messages);
    below = slice.from;
  }
  return whole;
});

const recreated = Effect.suspend(
  () => new MailServerError({ reason: "protocol", operation: "fetch", detail: "INBOX was recreated while being read" }),
);
