import { type AccountId, accountIdOf } from "@postern/core/shared";
import { CredentialVault, MailLogin } from "@postern/core/auth";
import { MailboxTree } from "@postern/core/folders";
import { MailboxReader } from "@postern/core/messages";
import { type ImapOptions, layer as imap } from "@postern/imap";
import { mailServersAt } from "@postern/testkit";
import { Effect, Layer, Option, Redacted } from "effect";
import { vaultInMemory } from "./doubles.ts";
import { type Script, scriptedServer } from "./scripted-server.ts";

export const JANE: AccountId = Option.getOrThrow(accountIdOf("jane@example.org"));
export const CREDENTIAL = {
  _tag: "Password" as const,
  username: "jane@example.org",
  password: Redacted.make("correct"),
};

/** The ports over a scripted server with an account signed in; closed with the scope. */
export const scripted = Effect.fnUntraced(function* (script: Script, options: ImapOptions = {}) {
  const server = yield* scriptedServer(script);
  const ports = yield* Layer.build(
    imap(options).pipe(
      Layer.provide(mailServersAt({ host: "127.0.0.1", port: server.port })),
      Layer.provideMerge(vaultInMemory),
    ),
  );
  yield* Effect.provide(
    Effect.flatMap(CredentialVault, (vault) => vault.keep(JANE, CREDENTIAL)),
    ports,
  );
  return { server, ports };
});

/** Requests of the account. */
export const list = Effect.flatMap(MailboxTree, (tree) => tree.list(JANE));
export const view = Effect.scoped(Effect.flatMap(MailboxReader, (reader) => reader.view(JANE, "INBOX")));
export const signIn = Effect.flatMap(MailLogin, (login) => login.verify(JANE, CREDENTIAL));
