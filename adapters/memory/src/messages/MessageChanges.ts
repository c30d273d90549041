import type { AccountId } from "@postern/core/shared";
import { FolderNotFound } from "@postern/core/mail";
import { type FlagChange, type MailboxPlace, MessageChanges, MessageNotFound } from "@postern/core/messages";
import { Effect, Layer } from "effect";
import { permitted } from "../mail/permitted.ts";
import { signedIn } from "../mail/signed-in.ts";

const FLAGS = [
  ["unread", "\\Seen"],
  ["flagged", "\\Flagged"],
  ["answered", "\\Answered"],
] as const;

/** Changes the messages of a `MailWorld` like a server with MOVE and UIDPLUS. */
export const layer = Layer.effect(
  MessageChanges,
  Effect.map(signedIn, (signedIn) => {
    const opened = Effect.fnUntraced(function* (
      id: AccountId,
      { path, uidValidity }: MailboxPlace,
      uids: ReadonlyArray<number>,
    ) {
      const account = yield* signedIn(id);
      const mailbox = account.find(path)?.mailbox;
      if (!mailbox || mailbox.uidValidity !== uidValidity) return yield* new MessageNotFound();
      const wanted = new Set(uids);
      return { account, mailbox, present: mailbox.messages.filter(({ uid }) => wanted.has(uid)) };
    });
    const uidsOf = (messages: ReadonlyArray<{ readonly uid: number }>) => new Set(messages.map(({ uid }) => uid));

    const setFlags = Effect.fnUntraced(function* (
      id: AccountId,
      place: MailboxPlace,
      uids: ReadonlyArray<number>,
      change: FlagChange,
    ) {
      const { present, mailbox } = yield* opened(id, place, uids);
      const isChange = FLAGS.some(([name]) => change[name] !== undefined);
      if (present.length > 0 && isChange) yield* permitted("store", mailbox);
      for (const message of present) {
        const flags = new Set(message.flags);
        for (const [name, flag] of FLAGS) {
          const value = change[name];
          if (value === undefined) continue;
          if (name === "unread" ? !value : value) flags.add(flag);
          else flags.delete(flag);
        }
        message.flags = flags;
      }
      return present;
    });

    return {
      setFlags: (id, place, uids, change) => Effect.map(setFlags(id, place, uids, change), uidsOf),
      flag: Effect.fnUntraced(function* (id, place, change) {
        const [message] = yield* setFlags(id, place, [place.uid], change);
        return message === undefined ? yield* new MessageNotFound() : message.summary;
      }),
      move: Effect.fnUntraced(function* (id, place, uids, to) {
        const { account, mailbox, present } = yield* opened(id, place, uids);
        if (present.length === 0) return [];
        const destination = account.find(to)?.mailbox;
        if (!destination) return yield* new FolderNotFound();
        yield* permitted("move", mailbox, destination);
        const arrived = mailbox.move(uidsOf(present), destination);
        return present.map(({ uid }, n) => ({
          uid,
          to: { uidValidity: destination.uidValidity, uid: arrived[n]!.uid },
        }));
      }),
      destroy: Effect.fnUntraced(function* (id, place, uids) {
        const { mailbox, present } = yield* opened(id, place, uids);
        if (present.length > 0) yield* permitted("expunge", mailbox);
        mailbox.expunge(uidsOf(present));
        return uidsOf(present);
      }),
    };
  }),
);
