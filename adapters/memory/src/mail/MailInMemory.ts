import {
  type AccountId,
  CredentialVault,
  FolderNotFound,
  FolderNotSelectable,
  type ListedMailbox,
  LoginRefused,
  MailboxCredentialsRejected,
  MailboxReader,
  MailboxTree,
  MailLogin,
} from "@postern/core";
import { Effect, Layer, Redacted } from "effect";
import { DELIMITER, type NamedMailbox } from "./MailAccount.ts";
import { mailboxView } from "./mailbox-view.ts";
import { MailWorld } from "./MailWorld.ts";

const MailLoginInMemory = Layer.effect(
  MailLogin,
  Effect.map(MailWorld, (world) => ({
    verify: ({ username, password }) =>
      Effect.suspend(() =>
        world.signIn(username, Redacted.value(password)) === undefined ? Effect.fail(new LoginRefused()) : Effect.void,
      ),
  })),
);

/** The mailboxes of an account whose kept credential the server accepts, as a connection would find out. */
const signedIn = Effect.gen(function* () {
  const world = yield* MailWorld;
  const vault = yield* CredentialVault;
  return Effect.fnUntraced(function* (id: AccountId) {
    const { username, password, version } = yield* vault.reveal(id);
    const account = world.signIn(username, Redacted.value(password));
    if (account !== undefined) return account;
    yield* vault.markRejected(id, version);
    return yield* new MailboxCredentialsRejected();
  });
});

const MailboxTreeInMemory = Layer.effect(
  MailboxTree,
  Effect.map(signedIn, (signedIn) => ({
    list: (id) => Effect.map(signedIn(id), (account) => account.list().map(listedOf)),
  })),
);

const MailboxReaderInMemory = Layer.effect(
  MailboxReader,
  Effect.map(signedIn, (signedIn) => ({
    view: Effect.fnUntraced(function* (id, path) {
      const named = (yield* signedIn(id)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      return named.mailbox === null ? yield* new FolderNotSelectable() : mailboxView(named.mailbox);
    }),
  })),
);

/** The mail server ports over a `MailWorld`, with the credentials of a vault. */
export const MailInMemory = Layer.mergeAll(MailLoginInMemory, MailboxTreeInMemory, MailboxReaderInMemory);

const listedOf = ({ path, role, mailbox }: NamedMailbox): ListedMailbox => ({
  path,
  delimiter: DELIMITER,
  role,
  status:
    mailbox === null
      ? null
      : {
          total: mailbox.messages.length,
          unread: mailbox.unread,
          uidValidity: mailbox.uidValidity,
          uidNext: mailbox.uidNext,
          mailboxId: null,
        },
});
