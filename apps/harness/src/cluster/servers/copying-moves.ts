import { MailboxChanges } from "@postern/core/folders";
import { MailServerError } from "@postern/core/mail";
import { MessageChanges } from "@postern/core/messages";
import type { AccountId } from "@postern/core/shared";
import type { Mailbox, MailServerInMemory, StoredMessage } from "@postern/memory";
import { Context, Effect } from "effect";
import type { Incarnation } from "../timeline/Incarnation.ts";
import type { SeededRandom } from "../timeline/SeededRandom.ts";

/** The longest time between the copy of a message and the removal of the original, in milliseconds. */
const MAX_GAP_MILLIS = 400;
/** The probability that the connection is lost between copy and removal. */
const CUT = 0.1;

/**
 * Moves the mail of accounts whose server lacks MOVE like the IMAP adapter (spec 4): copies messages, then removes the
 * originals. Between these steps a node may crash, and a connection may be lost.
 */
export const copyingMoves = (
  node: Incarnation,
  ports: Context.Context<MailboxChanges | MessageChanges>,
  server: {
    readonly mail: MailServerInMemory;
    readonly random: SeededRandom;
    readonly hasMove: (account: AccountId) => boolean;
    readonly isFaulty: () => boolean;
    /** Called when messages are copied and the originals still exist. */
    readonly copied: (node: Incarnation, account: AccountId) => void;
  },
): Context.Context<MailboxChanges | MessageChanges> => {
  const { mail, random, hasMove, isFaulty, copied } = server;
  const folders = Context.get(ports, MailboxChanges);
  const messages = Context.get(ports, MessageChanges);
  const mailbox = (account: AccountId, path: string) => mail.account(account).find(path)?.mailbox ?? null;

  const between = Effect.suspend(() =>
    Effect.andThen(node.wait(random.between(1, MAX_GAP_MILLIS)), isFaulty() && random.chance(CUT) ? cut : node.gate),
  );

  const moved = (account: AccountId, from: Mailbox, uids: ReadonlyArray<number>, to: Mailbox, copiedFrom: number) =>
    Effect.gen(function* () {
      const copies = copyMissing(from, uids, to, copiedFrom);
      copied(node, account);
      yield* between;
      from.expunge(uids);
      return copies;
    });

  return Context.make(MailboxChanges, {
    ...folders,
    moveBatch: Effect.fnUntraced(function* (account, batch, path) {
      const [from, to] = [mailbox(account, batch.mailbox), mailbox(account, path)];
      if (hasMove(account) || from === null || to === null) return yield* folders.moveBatch(account, batch, path);
      // The call signs in, and finds the folder.
      yield* folders.nextBatch(account, batch.mailbox, path);
      const uids = from.messages.flatMap(({ uid }) => (uid <= batch.lastUid ? [uid] : []));
      yield* moved(account, from, uids, to, batch.copiedFrom);
      // A batch that was copied by an interrupted attempt has no new UIDs to report.
      return uids.map((uid) => ({ uid, to: null }));
    }),
  }).pipe(
    Context.add(MessageChanges, {
      ...messages,
      move: Effect.fnUntraced(function* (account, place, uids, path) {
        const [from, to] = [mailbox(account, place.path), mailbox(account, path)];
        if (hasMove(account) || from === null || to === null) return yield* messages.move(account, place, uids, path);
        const present = [
          ...(yield* Effect.catchTag(messages.setFlags(account, place, uids, {}), "LabelsNotSupported", Effect.die)),
        ];
        const copies = yield* moved(account, from, present, to, to.uidNext);
        return present.map((uid, n) => ({ uid, to: { uidValidity: to.uidValidity, uid: copies[n]!.uid } }));
      }),
    }),
  );
};

const cut = Effect.fail(new MailServerError({ reason: "unreachable", operation: "move", detail: "simulated" }));

/** Copies messages, without those that an interrupted attempt copied, and returns the copies. */
const copyMissing = (from: Mailbox, uids: ReadonlyArray<number>, to: Mailbox, copiedFrom: number) => {
  const wanted = new Set(uids);
  const counts = new Map<string, number>();
  for (const message of to.messages) {
    if (message.uid >= copiedFrom) counts.set(identity(message), (counts.get(identity(message)) ?? 0) + 1);
  }
  return from.messages.flatMap((message) => {
    if (!wanted.has(message.uid)) return [];
    const count = counts.get(identity(message)) ?? 0;
    counts.set(identity(message), count - 1);
    return count > 0 ? [] : [to.append(message.raw, message.arrivedAt, message.flags)];
  });
};

const identity = ({ summary, arrivedAt, raw }: StoredMessage): string =>
  `${summary.messageId} ${arrivedAt} ${raw.length}`;
