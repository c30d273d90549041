import { type AccountServers, type MailboxAccessError, MailServerError, MailServers } from "@postern/core/mail";
import { type CurrentCredential, MailCredentials } from "@postern/core/oauth";
import { type AccountId, accountIdOf, type StoreUnavailable } from "@postern/core/shared";
import { Clock, Context, Effect, Layer, Option } from "effect";
import { MailServerInMemory } from "./MailServerInMemory.ts";
import type { RawMessage } from "./Mailbox.ts";
import type { ServerConduct } from "./ServerConduct.ts";

/** An initial account of a mail server. */
export interface InitialAccount {
  readonly address: string;
  readonly password: string;
  /** Folders created in addition to INBOX and the special folders. */
  readonly folders: ReadonlyArray<string>;
  /** The messages in the order of their UIDs. */
  readonly messages: ReadonlyArray<{
    readonly folder: string;
    readonly raw: RawMessage;
    /** INTERNALDATE in epoch milliseconds. */
    readonly arrivedAt: number;
    readonly flags: ReadonlyArray<string>;
  }>;
}

/** The mail server behind the fake ports, which a test or the sandbox controls. */
export class MailWorld extends Context.Service<MailWorld, MailServerInMemory>()("@postern/memory/MailWorld") {
  /**
   * A mail server with these accounts, created for its start time (epoch milliseconds). UIDVALIDITY depends on that
   * time too, because clients would otherwise mistake the mail for the mail of the previous start.
   */
  static readonly layer = (accountsAt: (now: number) => ReadonlyArray<InitialAccount>): Layer.Layer<MailWorld> =>
    Layer.effect(
      MailWorld,
      Effect.map(Clock.currentTimeMillis, (now) => {
        const server = new MailServerInMemory(Math.max(1, Math.floor(now / 1000)));
        for (const { address, password, folders, messages } of accountsAt(now)) {
          const account = server.addAccount(address, password);
          for (const path of folders) account.create(path);
          for (const { folder, raw, arrivedAt, flags } of messages) {
            account.mailbox(folder).append(raw, arrivedAt, flags);
          }
        }
        return server;
      }),
    );
}

/** Returns what a server does with a sign-in as this user; undefined for an account that it serves as usual. */
export const conductTo = ({ conducts }: MailServerInMemory, username: string): ServerConduct | undefined =>
  conducts.size === 0
    ? undefined
    : Option.getOrUndefined(Option.flatMapNullishOr(accountIdOf(username), (id) => conducts.get(id)));

/** Fails like a connection to a server with this conduct. */
export const failureOf = (conduct: Exclude<ServerConduct, "unclear">): Effect.Effect<never, MailServerError> =>
  Effect.fail(
    new MailServerError({
      reason: conduct === "away" ? "unreachable" : "flood",
      operation: "connect",
      detail: "simulated",
    }),
  );

/** Returns a function that finds the servers of an account; null if all accounts live on one server. */
export const findServers = Effect.map(
  Effect.serviceOption(MailServers),
  (servers) =>
    (id: AccountId): Effect.Effect<AccountServers | null, MailServerError | StoreUnavailable> =>
      Option.isNone(servers)
        ? Effect.succeed(null)
        : Effect.catchTag(servers.value.of(id), "NoMailServers", () => failureOf("away")),
);

/**
 * Returns a function that finds the servers of an account with its current credential. A server gets only the version
 * of the credential that was current for it, because another version may belong to other servers.
 */
export const presentedCredential = Effect.gen(function* () {
  const credentials = yield* MailCredentials;
  const serversOf = yield* findServers;
  return Effect.fnUntraced(function* (
    id: AccountId,
  ): Effect.fn.Return<readonly [AccountServers | null, CurrentCredential], MailboxAccessError> {
    for (;;) {
      const before = yield* serversOf(id);
      if (before?.imap.origin !== "account") return [before, yield* credentials.of(id)];
      const version = yield* credentials.version(id);
      const servers = yield* serversOf(id);
      const current = yield* credentials.of(id);
      if (current.version === version) return [servers, current];
    }
  });
});
