import type { AccountId } from "@postern/core/shared";
import { FolderManagement, Folders, MailboxTree } from "@postern/core/folders";
import type { MailboxAccessError } from "@postern/core/mail";
import { Effect } from "effect";
import { MailServerControl } from "../../controls/MailServerControl.ts";
import { Cuts } from "../../fixtures/Cuts.ts";
import { signedInAccount } from "../../fixtures/mail-account.ts";
import { crlfLines } from "../../fixtures/mail-messages.ts";

/** Returns the message with this number, which differs from all others. */
export const numberedMessage = (n: number) =>
  crlfLines("From: a@example.org", `Message-ID: <${n}@example.org>`, `Subject: ${n}`, "", `Text ${n}.`);

/** The options of a removal that moves messages to Trash. */
export const REMOVE = { permanent: false, recursive: false };

/** A new account with only the special folders, and the operations of a test on it. */
export interface ManagedFolders {
  readonly account: AccountId;
  readonly cuts: Cuts["Service"];
  readonly tree: MailboxTree["Service"];
  readonly folders: FolderManagement["Service"];
  readonly control: MailServerControl["Service"];
  /** Returns the path of a mailbox. */
  readonly path: (...names: ReadonlyArray<string>) => string;
  /** Appends messages of these numbers to a mailbox. */
  readonly fill: (path: string, numbers: ReadonlyArray<number>) => Effect.Effect<void>;
  /** Returns the number of messages in a mailbox. */
  readonly total: (path: string) => Effect.Effect<number | undefined, MailboxAccessError>;
}

/** Makes an account and finds its mailboxes. */
export const managedFolders = Effect.gen(function* () {
  const { account } = yield* signedInAccount;
  const cuts = yield* Cuts;
  yield* cuts.cut(0, "before");
  const tree = yield* MailboxTree;
  const [inbox] = yield* tree.list(account);
  const folders = yield* FolderManagement;
  const control = yield* MailServerControl;
  const { prefix, delimiter } = inbox!;
  const path = (...names: ReadonlyArray<string>) => prefix + names.join(delimiter!);
  const fill = (at: string, numbers: ReadonlyArray<number>) =>
    Effect.forEach(numbers, (n) => control.append(account, at, numberedMessage(n)), { discard: true });
  const total = Effect.fnUntraced(function* (at: string) {
    return (yield* tree.list(account)).find((mailbox) => mailbox.path === at)?.status?.total;
  });
  const all: ManagedFolders = { account, cuts, tree, folders, control, path, fill, total };
  return all;
});

/** Returns the tag of an error, and its reason. */
export const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    "reason" in error ? `${error._tag} ${String(error.reason)}` : error._tag,
  );

/** Returns the ids of the listed folders of an account by path. */
export const idsByPath = Effect.fnUntraced(function* (account: AccountId) {
  const listed = yield* (yield* Folders).list(account);
  return Object.fromEntries(listed.map(({ path, id }): [string, string] => [path, id]));
});
