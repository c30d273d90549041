import type { AccountId } from "@postern/core/shared";
import { foldLabel, FolderNotFound, keywordOf, labelsOf } from "@postern/core/mail";
import {
  type FlagChange,
  LabelsNotSupported,
  type MailboxPlace,
  MessageChanges,
  MessageNotFound,
} from "@postern/core/messages";
import { Effect, Layer } from "effect";
import type { Mailbox } from "../mail/Mailbox.ts";
import { checkPermitted } from "../mail/check-permitted.ts";
import { signedIn } from "../mail/signed-in.ts";

const FLAGS = [
  ["unread", "\\Seen"],
  ["flagged", "\\Flagged"],
  ["answered", "\\Answered"],
] as const;

/** The longest keyword; Dovecot refuses longer keywords. */
const MAX_KEYWORD_BYTES = 50;

/** Returns the keyword of a label, as the mailbox spells it. */
const keywordFor = (mailbox: Mailbox, label: string): string =>
  [...mailbox.keywords].find((keyword) => labelsOf([keyword]).some((one) => foldLabel(one) === foldLabel(label))) ??
  keywordOf(label) ??
  label;

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
      const { addLabels = [], removeLabels = [] } = change;
      const isChange = FLAGS.some(([name]) => change[name] !== undefined) || addLabels.length + removeLabels.length > 0;
      if (present.length === 0) return present;
      if (isChange) yield* checkPermitted("store", mailbox);
      const added = addLabels.map((label) => keywordFor(mailbox, label));
      const removed = removeLabels.map((label) => keywordFor(mailbox, label));
      if ([...added, ...removed].some((keyword) => keyword.length > MAX_KEYWORD_BYTES)) {
        return yield* new LabelsNotSupported({ detail: "the keyword is too long" });
      }
      const unwanted = new Set(removeLabels.map(foldLabel));
      for (const message of present) {
        const flags = new Set(message.flags);
        for (const [name, flag] of FLAGS) {
          const value = change[name];
          if (value === undefined) continue;
          if (name === "unread" ? !value : value) flags.add(flag);
          else flags.delete(flag);
        }
        for (const keyword of added) flags.add(keyword);
        for (const flag of flags)
          if (labelsOf([flag]).some((label) => unwanted.has(foldLabel(label)))) flags.delete(flag);
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
        yield* checkPermitted("move", mailbox, destination);
        const arrived = mailbox.move(uidsOf(present), destination);
        return present.map(({ uid }, n) => ({
          uid,
          to: { uidValidity: destination.uidValidity, uid: arrived[n]!.uid },
        }));
      }),
      destroy: Effect.fnUntraced(function* (id, place, uids) {
        const { mailbox, present } = yield* opened(id, place, uids);
        if (present.length > 0) yield* checkPermitted("expunge", mailbox);
        mailbox.expunge(uidsOf(present));
        return uidsOf(present);
      }),
    };
  }),
);
