import { FolderExists, FolderNameInvalid, FolderNotFound, MailServerError } from "@postern/core/mail";
import { MailboxChanges } from "@postern/core/folders";
import { Effect, Layer, Option } from "effect";
import { DELIMITER } from "../mail/MailServerInMemory.ts";
import { checkPermitted } from "../mail/check-permitted.ts";
import { signedIn } from "../mail/signed-in.ts";

/** Messages moved at a time. */
const BATCH = 500;

/** Converts the errors that the account throws if a server answers NO. */
const attemptChange = (change: () => void): Effect.Effect<void, FolderNameInvalid> =>
  Effect.try({ try: change, catch: () => new FolderNameInvalid({ reason: "refused" }) });

/** Changes the mailboxes of a `MailWorld` like a server with MOVE (spec 4). */
export const layer = Layer.effect(
  MailboxChanges,
  Effect.map(signedIn, (signedIn) => ({
    create: Effect.fnUntraced(function* (id, path, role) {
      const account = yield* signedIn(id);
      if (account.find(path)?.mailbox) return yield* new FolderExists();
      yield* checkPermitted("create", account.find(path.slice(0, path.lastIndexOf(DELIMITER)))?.mailbox);
      yield* attemptChange(() => void account.create(path, role));
    }),
    rename: Effect.fnUntraced(function* (id, from, to) {
      const account = yield* signedIn(id);
      if (account.find(from) === undefined) return yield* new FolderNotFound();
      if (account.find(to) !== undefined) return yield* new FolderExists();
      yield* checkPermitted("rename", account.find(from)?.mailbox);
      yield* attemptChange(() => account.rename(from, to));
    }),
    remove: Effect.fnUntraced(function* (id, path) {
      const account = yield* signedIn(id);
      if (account.find(path) === undefined) return yield* new FolderNotFound();
      yield* checkPermitted("delete", account.find(path)?.mailbox);
      yield* Effect.try({ try: () => account.delete(path), catch: (error) => refusal("delete", error) });
    }),
    nextBatch: Effect.fnUntraced(function* (id, mailbox, to) {
      const account = yield* signedIn(id);
      const source = account.find(mailbox)?.mailbox;
      if (!source) return yield* new FolderNotFound();
      const some = source.messages.slice(0, BATCH);
      const last = some.at(-1);
      const copiedFrom = account.find(to)?.mailbox?.uidNext ?? 1;
      return Option.map(Option.fromUndefinedOr(last), ({ uid }) => ({
        mailbox,
        lastUid: uid,
        count: some.length,
        copiedFrom,
      }));
    }),
    moveBatch: Effect.fnUntraced(function* (id, { mailbox, lastUid }, to) {
      const account = yield* signedIn(id);
      const source = account.find(mailbox)?.mailbox;
      if (!source) return yield* new FolderNotFound();
      const destination = account.find(to)?.mailbox;
      if (!destination) return yield* refusal("move", `${to} is no mailbox`);
      yield* checkPermitted("move", source, destination);
      const uids = source.messages.flatMap(({ uid }) => (uid <= lastUid ? [uid] : []));
      const { uidValidity } = destination;
      return source.move(uids, destination).map(({ uid }, n) => ({ uid: uids[n]!, to: { uidValidity, uid } }));
    }),
  })),
);

const refusal = (operation: string, error: unknown): MailServerError =>
  new MailServerError({ reason: "protocol", operation, detail: String(error) });
