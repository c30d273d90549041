import {
  FolderNotFound,
  FolderNotSelectable,
  type ListedMailbox,
  LoginRefused,
  MailboxReader,
  MailboxTree,
  MailLogin,
} from "@postern/core";
import { Effect, Layer, Redacted } from "effect";
import { DELIMITER, type NamedMailbox } from "./MailAccount.ts";
import { mailboxView } from "./mailbox-view.ts";
import { MailboxChangesInMemory } from "./MailboxChangesInMemory.ts";
import { MessageChangesInMemory } from "./MessageChangesInMemory.ts";
import { MessageReaderInMemory } from "./MessageReaderInMemory.ts";
import { MessageSearchInMemory } from "./MessageSearchInMemory.ts";
import { MailWorld } from "./MailWorld.ts";
import { signedIn } from "./signed-in.ts";

const MailLoginInMemory = Layer.effect(
  MailLogin,
  Effect.map(MailWorld, (world) => ({
    verify: ({ username, password }) =>
      Effect.suspend(() =>
        world.signIn(username, Redacted.value(password)) === undefined ? Effect.fail(new LoginRefused()) : Effect.void,
      ),
  })),
);

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
export const MailInMemory = Layer.mergeAll(
  MailLoginInMemory,
  MailboxTreeInMemory,
  MailboxReaderInMemory,
  MailboxChangesInMemory,
  MessageChangesInMemory,
  MessageReaderInMemory,
  MessageSearchInMemory,
);

const listedOf = ({ path, role, mailbox }: NamedMailbox): ListedMailbox => ({
  path,
  prefix: "",
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
