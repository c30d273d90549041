import { FolderNotFound, FolderNotSelectable } from "@postern/core/mail";
import { LoginRefused, MailLogin } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import { Effect, Layer, Redacted } from "effect";
import { cursorOf, layer as InboxWatchInMemory } from "../watch/InboxWatch.ts";
import { listedOf } from "./listed-of.ts";
import { mailboxView } from "./mailbox-view.ts";
import { layer as MailboxChangesInMemory } from "../folders/MailboxChanges.ts";
import { layer as MessageChangesInMemory } from "../messages/MessageChanges.ts";
import { layer as MessageFingerprintsInMemory } from "../watch/MessageFingerprints.ts";
import { layer as MessageReaderInMemory } from "../messages/MessageReader.ts";
import { layer as MessageSearchInMemory } from "../messages/MessageSearch.ts";
import { MailWorld } from "./MailWorld.ts";
import { signedIn } from "./signed-in.ts";

const MailLoginInMemory = Layer.effect(
  MailLogin,
  Effect.map(MailWorld, (world) => ({
    verify: ({ username, password }) =>
      Effect.suspend(() => {
        const account = world.signIn(username, Redacted.value(password));
        return account === undefined
          ? Effect.fail(new LoginRefused())
          : Effect.succeed(cursorOf(account.mailbox("INBOX")));
      }),
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
  InboxWatchInMemory,
  MessageFingerprintsInMemory,
);
