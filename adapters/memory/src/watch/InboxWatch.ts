import { type HeaderField, MailServerError } from "@postern/core/mail";
import { type ArrivedMessage, InboxWatch, rangesOf, type SeenMessage, type WatchedInbox } from "@postern/core/watch";
import { ARRIVAL_FIELDS } from "@postern/core/arrivals";
import { Effect, Layer, Queue } from "effect";
import { messageEntity } from "../mail/entity.ts";
import { listedOf } from "../mail/listed-of.ts";
import type { Mailbox, StoredMessage } from "../mail/Mailbox.ts";
import { signedIn } from "../mail/signed-in.ts";

/** Messages in a slice; few, so that contract suites need several slices. */
const SLICE = 3;

/** Watches the INBOX of accounts of a `MailWorld`, like a server with IDLE and without CONDSTORE and NOTIFY (spec 7). */
export const layer = Layer.effect(
  InboxWatch,
  Effect.map(signedIn, (signedIn) => ({
    readPresent: Effect.fnUntraced(function* (id) {
      const inbox = (yield* signedIn(id)).mailbox("INBOX");
      const { cursor } = inbox;
      return { cursor, newest: yield* watchedMailbox(Effect.succeed(inbox)).below(cursor.uidNext) };
    }),
    open: Effect.fnUntraced(function* (id) {
      const account = yield* signedIn(id);
      const news = yield* Queue.sliding<void>(1);
      const opened = account.mailbox("INBOX");
      const session = opened.session;
      const notify = () => void Queue.offerUnsafe(news, undefined);
      yield* Effect.acquireRelease(
        Effect.sync(() => opened.listen(notify)),
        (unlisten) => Effect.sync(unlisten),
      );
      const connected = Effect.suspend(() =>
        opened.session === session ? Effect.succeed(opened) : failAs("unreachable", "the connection was closed"),
      );
      const inbox = watchedMailbox(connected);
      const find = (path: string) =>
        Effect.andThen(
          connected,
          Effect.suspend(() => {
            const found = account.find(path)?.mailbox;
            return found ? Effect.succeed(found) : failAs("protocol", "there is no such mailbox");
          }),
        );
      return {
        ...inbox,
        poll: (since) => Effect.andThen(Queue.clear(news), inbox.poll(since)),
        changed: Effect.andThen(Queue.take(news), Effect.as(connected, NO_OTHERS)),
        folders: () => Effect.map(signedIn(id), (account) => account.list().map(listedOf)),
        announceAll: Effect.as(connected, false),
        standings: (paths) =>
          Effect.map(connected, () =>
            ["INBOX", ...paths].flatMap((path) => standingOf(path, account.find(path)?.mailbox ?? undefined)),
          ),
        mailbox: (path) => watchedMailbox(find(path)),
      };
    }),
  })),
);

const NO_OTHERS: ReadonlySet<string> = new Set();

const failAs = (reason: "unreachable" | "protocol", detail: string) =>
  Effect.fail(new MailServerError({ reason, operation: "idle", detail }));

const standingOf = (path: string, mailbox: Mailbox | undefined) =>
  mailbox === undefined || mailbox.isClosed
    ? []
    : [{ path, cursor: mailbox.cursor, counts: `${mailbox.messages.length} ${mailbox.unread}` }];

const watchedMailbox = (opened: Effect.Effect<Mailbox, MailServerError>): ReturnType<WatchedInbox["mailbox"]> => {
  const slice: Array<SeenMessage> = [];
  return {
    poll: Effect.fnUntraced(function* (since) {
      const { cursor, messages } = yield* opened;
      if (since?.uidValidity !== cursor.uidValidity) return { cursor, arrived: [], vanished: [], flags: [] };
      const all = messages.map(arrivedMessageOf);
      const arrived = all.filter(({ uid }) => uid >= since.uidNext);
      return { cursor, arrived, present: rangesOf(all.map(({ uid }) => uid)), flags: all };
    }),
    below: (uid) =>
      Effect.map(opened, ({ uidValidity, messages }) => {
        const before = messages.map(arrivedMessageOf).filter((one) => one.uid < uid);
        slice.splice(0, slice.length, ...before.slice(-SLICE));
        return { uidValidity, from: slice.length < before.length ? slice[0]!.uid : 1, messages: slice };
      }),
    describe: (uids) =>
      Effect.map(opened, ({ messages }) => messages.map(arrivedMessageOf).filter(({ uid }) => uids.includes(uid))),
  };
};

/** Returns a message as a poll of its mailbox does. */
export const arrivedMessageOf = ({ summary, raw }: StoredMessage): ArrivedMessage => {
  const { uid, messageId, size, arrivedAt, unread, flagged, answered, labels } = summary;
  const flags = { unread, flagged, answered, labels };
  return { uid, emailId: null, messageId, size, arrivedAt, ...flags, fields: fieldsOf(raw), summary };
};

/** The header fields by message: repeated polls of a mailbox return the same messages. */
const known = new WeakMap<Uint8Array, ReadonlyArray<HeaderField>>();

const fieldsOf = (raw: Uint8Array): ReadonlyArray<HeaderField> => {
  const before = known.get(raw);
  if (before !== undefined) return before;
  const { fields } = messageEntity(raw.subarray(0, 65_536));
  const found = ARRIVAL_FIELDS.flatMap((name): ReadonlyArray<HeaderField> => {
    const value = fields.get(name.toLowerCase());
    return value === undefined ? [] : [[name, value]];
  });
  known.set(raw, found);
  return found;
};
