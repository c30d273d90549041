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
  type MailboxView,
  MailLogin,
  type MessageSummary,
} from "@postern/core";
import { Effect, Layer, Redacted } from "effect";
import { DELIMITER, type NamedMailbox } from "./MailAccount.ts";
import type { Mailbox, StoredMessage } from "./Mailbox.ts";
import { MailWorld } from "./MailWorld.ts";
import { messageContents } from "./message-contents.ts";

const Login = Layer.effect(
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

const Tree = Layer.effect(
  MailboxTree,
  Effect.map(signedIn, (signedIn) => ({
    list: (id) => Effect.map(signedIn(id), (account) => account.list().map(listedOf)),
  })),
);

const Reader = Layer.effect(
  MailboxReader,
  Effect.map(signedIn, (signedIn) => ({
    view: Effect.fnUntraced(function* (id, path) {
      const named = (yield* signedIn(id)).find(path);
      if (named === undefined) return yield* new FolderNotFound();
      return named.mailbox === null ? yield* new FolderNotSelectable() : viewOf(named.mailbox);
    }),
  })),
);

/** The mail server ports over a world in memory. */
export const MailInMemory = Layer.mergeAll(Login, Tree, Reader);

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

const viewOf = (mailbox: Mailbox): MailboxView => {
  const positions = mailbox.messages;
  return {
    uidValidity: mailbox.uidValidity,
    total: positions.length,
    unread: mailbox.unread,
    messages: (first, last) =>
      Effect.promise(() => {
        const present = new Set(mailbox.messages);
        const seen = positions.slice(Math.max(1, first) - 1, Math.max(0, last));
        return Promise.all(seen.filter((message) => present.has(message)).map(summaryOf));
      }),
    positionBelow: (uid) => Effect.sync(() => positions.findLastIndex((message) => message.uid < uid) + 1),
  };
};

const summaryOf = async (message: StoredMessage): Promise<MessageSummary> => ({
  ...(await (message.contents ??= messageContents(message.raw))),
  uid: message.uid,
  arrivedAt: message.arrivedAt,
  unread: !message.flags.has("\\Seen"),
  flagged: message.flags.has("\\Flagged"),
  answered: message.flags.has("\\Answered"),
  draft: message.flags.has("\\Draft"),
});
