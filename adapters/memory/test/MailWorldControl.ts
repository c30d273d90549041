import { type AccountId, accountIdOf } from "@postern/core/shared";
import { MailServerInMemory, MailWorld } from "@postern/memory";
import { MailServerControl } from "@postern/testkit";
import { Clock, Effect, Layer, Option, Redacted } from "effect";

/** Controls the mail world like another client of the account. */
export const MailWorldControl = Layer.effect(
  MailServerControl,
  Effect.gen(function* () {
    const world = yield* MailWorld;
    let accounts = 0;
    const mailbox = (account: AccountId, path: string) => world.account(account).mailbox(path);
    return {
      newAccount: Effect.sync(() => {
        const username = `user${++accounts}@postern.test`;
        const password = `password ${accounts}`;
        world.addAccount(username, password);
        return {
          account: Option.getOrThrow(accountIdOf(username)),
          credential: { _tag: "Password", username, password: Redacted.make(password) },
        };
      }),
      makeReadOnly: (account, path) => Effect.sync(() => void (mailbox(account, path).isReadOnly = true)),
      createMailbox: (account, path) => Effect.sync(() => void world.account(account).create(path)),
      deleteMailbox: (account, path) => Effect.sync(() => world.account(account).delete(path)),
      renameMailbox: (account, from, to) => Effect.sync(() => world.account(account).rename(from, to)),
      append: Effect.fnUntraced(function* (account, path, raw, { flags = [], arrivedAt } = {}) {
        const at = arrivedAt ?? (yield* Clock.currentTimeMillis);
        return mailbox(account, path).append(new TextEncoder().encode(raw), at, flags).uid;
      }),
      expunge: (account, path, uids) => Effect.sync(() => mailbox(account, path).expunge(uids)),
      setFlags: (account, path, uid, flags) =>
        Effect.sync(() => {
          const message = mailbox(account, path).find(uid);
          if (message === undefined) throw new Error(`no message ${uid}`);
          message.flags = new Set(flags);
        }),
    };
  }),
);

/** A mail server without accounts. */
export const EmptyWorld = Layer.sync(MailWorld, () => new MailServerInMemory(1));

/** A mail server without accounts whose future accounts accept at most this many bytes of mail. */
export const worldWithQuota = (quota: number) => Layer.sync(MailWorld, () => new MailServerInMemory(1, quota));
