import type { AccountId, StoreUnavailable } from "@postern/core/shared";
import {
  type AccountServers,
  KnownFloods,
  type MailboxAccessError,
  type MailServerError,
  MailServers,
} from "@postern/core/mail";
import { type CurrentCredential, MailCredentials } from "@postern/core/oauth";
import { Clock, Effect, Option } from "effect";
import type { MailAccount } from "./MailServerInMemory.ts";
import { failureOf, MailWorld } from "./MailWorld.ts";

/** Returns the mailboxes of an account if the server accepts its credential. A refused credential is renewed once, otherwise rejected. */
export const signedIn = Effect.gen(function* () {
  const world = yield* MailWorld;
  const credentials = yield* MailCredentials;
  const floods = yield* KnownFloods;
  const present = yield* presentedCredential;

  const open = Effect.fnUntraced(function* (id: AccountId): Effect.fn.Return<MailAccount, MailboxAccessError> {
    const [servers, current] = yield* present(id);
    const server = servers?.imap ?? null;
    const mail = server === null ? world : world.at(server.host);
    const { username } = current.credential;
    const now = yield* Clock.currentTimeMillis;
    if (server !== null && floods.wait(server, username, now) > 0) return yield* failureOf("flood");
    const conduct = mail.conductTo(username);
    if (conduct !== undefined) mail.onSignIn(current.credential);
    if (conduct === "flood" && server !== null) floods.note(server, username, now);
    if (conduct === "unclear") return yield* credentials.reject(id, current, false);
    if (conduct !== undefined) return yield* failureOf(conduct);
    const account = mail.signIn(current.credential);
    if (account !== undefined) {
      yield* credentials.recordAnswer(id);
      return account;
    }
    if (yield* credentials.renew(id, current)) return yield* open(id);
    return yield* credentials.reject(id, current, true);
  });
  return open;
});

/** Returns a function that finds the servers of an account; null if all accounts live on one server. */
const findServers = Effect.map(
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
