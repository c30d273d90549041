import { type AccountServers, type MailboxAccessError, type MailServerError, MailServers } from "@postern/core/mail";
import { type CurrentCredential, MailCredentials } from "@postern/core/oauth";
import type { AccountId, StoreUnavailable } from "@postern/core/shared";
import { Effect, Option } from "effect";
import { failureOf } from "./failure-of.ts";

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
