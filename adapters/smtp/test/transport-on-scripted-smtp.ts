import { accountIdOf, type AccountId } from "@postern/core/shared";
import { MailboxCredentialsRejected, type MailServer } from "@postern/core/mail";
import { CredentialVault, type KeptCredential } from "@postern/core/auth";
import {
  mailServersAt,
  MailTransportControl,
  passwordsOnly,
  ScriptedSmtp,
  type ScriptedSmtpOptions,
} from "@postern/testkit";
import { Effect, Layer, Option, Redacted } from "effect";
import { layer, type SmtpOptions } from "../src/index.ts";

/** The part of a vault that a transport uses. */
export const Vault = Layer.sync(CredentialVault, () => {
  const kept = new Map<AccountId, KeptCredential>();
  const reveal = (account: AccountId) => {
    const found = kept.get(account);
    return found === undefined ? Effect.fail(new MailboxCredentialsRejected()) : Effect.succeed(found);
  };
  return {
    keep: (account, credential) =>
      Effect.sync(() => void kept.set(account, { ...credential, version: (kept.get(account)?.version ?? 0) + 1 })),
    reveal,
    version: (account) => Effect.map(reveal(account), ({ version }) => version),
    hold: () => Effect.die("nor does it hold one"),
    find: () => Effect.succeedNone,
    markAccepted: () => Effect.succeed(false),
    markRejected: () => Effect.die("a transport does not judge the credential"),
    listUnannounced: () => Effect.die("nor does it tell of that"),
    listUnmanaged: () => Effect.die("nor does it list them"),
    takeRejection: () => Effect.die("nor does it tell of that"),
    eraseUnless: () => Effect.die("nor does it erase one"),
  };
});

/** Returns the access token of a user; a wrong token for a wrong password. */
export const tokenOf = (username: string, password: string): string => `${password}-token-of-${username}`;

const Control = Layer.effect(
  MailTransportControl,
  Effect.gen(function* () {
    const server = yield* ScriptedSmtp;
    let accounts = 0;
    return {
      newAccount: Effect.sync(() => {
        const username = `user${++accounts}@x.test`;
        server.setPassword(username, "right");
        server.setToken(username, tokenOf(username, "right"));
        return {
          account: Option.getOrThrow(accountIdOf(username)),
          credential: { _tag: "Password", username, password: Redacted.make("right") },
        };
      }),
      behave: (behaviour) =>
        Effect.sync(() => {
          server.behave(behaviour);
          // A change of the login behaviour takes effect only on a new connection.
          if (behaviour.auth !== undefined) server.hangUp();
        }),
      stop: server.stop,
      start: server.start,
      taken: (from) => Effect.sync(() => server.taken().filter((message) => message.from === from)),
    };
  }),
);

/** The transport with a scripted server, and the services that contracts and tests inspect. */
export const transportOnScriptedSmtp = (
  options: SmtpOptions = {},
  server: ScriptedSmtpOptions = {},
  tls: MailServer["tls"] = "plaintext",
  credentials = passwordsOnly,
) =>
  Layer.mergeAll(
    Layer.unwrap(
      Effect.map(ScriptedSmtp, ({ host, port }) =>
        Layer.provide(layer(options), mailServersAt({ host, port, tls }, credentials)),
      ),
    ),
    Control,
  ).pipe(Layer.provideMerge(Layer.merge(Vault, ScriptedSmtp.layer(server))));
