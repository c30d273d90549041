import type { PasswordCredential } from "@postern/core/auth";
import { MailLogin } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailServerError } from "@postern/core/mail";
import { MailboxReader, MessageChanges, MessageReader, MessageSearch } from "@postern/core/messages";
import { SentFolder } from "@postern/core/send";
import type { AccountId } from "@postern/core/shared";
import { InboxWatch, MessageFingerprints } from "@postern/core/watch";
import { findIn, MailServerControl, messageOf, multipart, plainMessage } from "@postern/testkit";
import { Effect, Stream } from "effect";

/** A message that a download reads in three pieces. */
const LARGE = messageOf(
  multipart("mixed", "b", [
    { headers: ["Content-Type: text/plain; charset=utf-8"], body: "Grüße {3}\r\n* BYE not of the server" },
    { headers: ["Content-Type: text/plain", "Content-Disposition: attachment"], body: "A line.\r\n".repeat(30_000) },
  ]),
  ["Subject: large", "Message-ID: <large@x.test>"],
);

/**
 * Fills the INBOX of a new account. Returns its operations by name; each has the same result whenever it succeeds.
 * `timeout`: milliseconds of a command, and without changes after which a watch sends NOOP.
 */
export const wireOperations = Effect.fnUntraced(function* (
  account: AccountId,
  credential: PasswordCredential,
  timeout: number,
) {
  const control = yield* MailServerControl;
  for (let n = 1; n <= 12; n++) yield* control.append(account, "INBOX", plainMessage(`m${n}`));
  const uid = yield* control.append(account, "INBOX", LARGE);
  const [login, tree, reader] = [yield* MailLogin, yield* MailboxTree, yield* MailboxReader];
  const [messages, search, changes] = [yield* MessageReader, yield* MessageSearch, yield* MessageChanges];
  const [watch, fingerprints, sent] = [yield* InboxWatch, yield* MessageFingerprints, yield* SentFolder];
  const { uidValidity } = (yield* Effect.eventually(watch.readPresent(account, "request"))).cursor;
  const inbox = { path: "INBOX", uidValidity };
  const copy = Stream.make(new TextEncoder().encode("Message-ID: <s@x.test>\r\n\r\nSent"));
  let flagged = false;

  return {
    signIn: Effect.map(login.verify(account, credential), ({ uidNext }) => uidNext),
    folders: Effect.map(tree.list(account), (all) => all.map(({ path, role }) => [path, role])),
    listing: Effect.scoped(Effect.flatMap(reader.view(account, "INBOX"), (view) => view.messages(1, view.total))).pipe(
      Effect.map((all) => all.map((one) => ({ ...one, flagged: false }))),
    ),
    newest: Effect.scoped(
      Effect.flatMap(reader.view(account, "INBOX", { count: 5 }), (view) => view.messages(view.total - 5, view.total)),
    ).pipe(Effect.map((all) => all.map((one) => ({ ...one, flagged: false })))),
    changed: Effect.scoped(
      Effect.flatMap(reader.view(account, "INBOX", { count: 5, known: 10 }), (view) =>
        Effect.all([view.flags(view.total - 4, view.total), view.byUid([11, uid])]),
      ),
    ).pipe(Effect.map(([flags, messages]) => [flags.map((one) => one.uid), messages.map((one) => one.subject)])),
    // The core ends a search in time: a search of many mailboxes may last for as long as responses arrive.
    search: Effect.map(findIn(search, account, "INBOX", { subject: "m1" }), (found) => found?.uids).pipe(
      Effect.timeoutOrElse({
        duration: 4 * timeout,
        orElse: () => Effect.fail(new MailServerError({ reason: "timeout", operation: "search", detail: "" })),
      }),
    ),
    summaries: Effect.map(search.summaries(account, [{ ...inbox, uids: [2, 3, uid] }]), ([all]) =>
      all!.map((one) => ({ ...one, flagged: false })),
    ),
    message: Effect.scoped(
      Effect.flatMap(messages.open(account, { ...inbox, uid }), (opened) =>
        Effect.map(opened.readBeginnings(["1"], 1_000), (parts) => [opened.structure, opened.header, parts]),
      ),
    ).pipe(Effect.map((found) => JSON.stringify(found))),
    download: Effect.flatMap(messages.bytes(account, { ...inbox, uid }, "raw"), Stream.runCollect).pipe(
      Effect.map((pieces) => Buffer.concat([...pieces]).toString("latin1")),
    ),
    flag: Effect.suspend(() => changes.setFlags(account, inbox, [2], { flagged: (flagged = !flagged) })).pipe(
      Effect.map((set) => [...set]),
    ),
    fingerprints: Effect.map(fingerprints.of(account, "INBOX", [1, uid]), ({ messages: all }) =>
      all.map(({ size, messageId }) => [size, messageId]),
    ),
    poll: Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* watch.open(account, "watch");
        const { cursor } = yield* opened.poll(null);
        const { arrived } = yield* opened.poll({ ...cursor, uidNext: 1, highestModSeq: null });
        return arrived.map(({ uid, summary }) => [uid, summary?.subject]);
      }),
    ),
    wait: Effect.scoped(
      Effect.gen(function* () {
        const opened = yield* watch.open(account, "watch");
        yield* opened.poll(null);
        yield* Effect.timeoutOption(opened.changed, timeout + 20);
      }),
    ),
    keep: sent.keep(account, "<s@x.test>", copy, 0),
  };
});

export type WireOperation = keyof Effect.Success<ReturnType<typeof wireOperations>>;
