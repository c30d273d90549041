import { Clock, Effect, Option } from "effect";
import {
  type Account,
  AccountUnverified,
  CREDENTIAL_CAUSES,
  HostAdmission,
  type ProbeResult,
  ServerProbe,
} from "../accounts/index.ts";
import {
  areSameServers,
  isRefusedSince,
  isVerified,
  recordVerification,
  refusedVerification,
  type Verification,
} from "../accounts/neighbours.ts";
import { type refusalReporter, reportRefusal } from "../arrivals/neighbours.ts";
import type { FoundCredential, MailCredential } from "../auth/index.ts";
import type { AccountServers, MailServer } from "../mail/index.ts";
import { AccessTokens } from "../oauth/index.ts";
import type { AccountId } from "../shared/index.ts";
import { recover, type resumePorts } from "./resume-account.ts";

/** The maximum number of candidates tried for an account without given servers. */
const MAX_TRIED = 3;

/** The services that verify whether an account's servers accept a new or the stored credential (spec 10.3). */
export const accountVerifier = Effect.all({ probe: ServerProbe, hosts: HostAdmission, tokens: AccessTokens });
type AccountVerifier = Effect.Success<typeof accountVerifier>;

/** Signs in at both servers: concurrently with a password, one after the other with a token. */
export const verifyServers = Effect.fn("verifyServers")(function* (
  { probe, hosts }: AccountVerifier,
  account: AccountId,
  servers: AccountServers,
  credential: MailCredential,
) {
  const tryOut = (kind: "imap" | "smtp") =>
    Effect.andThen(hosts.admit(servers[kind], "request"), probe[kind](servers[kind], credential, account));
  const tryImap = tryOut("imap");
  const trySmtp = tryOut("smtp");
  const [imap, smtp] =
    credential._tag === "Password"
      ? yield* Effect.all([tryImap, trySmtp], { concurrency: 2 })
      : yield* Effect.flatMap(tryImap, (first) =>
          // The token may belong to another user. Once a server refuses the token, no other server gets it.
          Effect.map(isRefused(first) ? Effect.succeed(first) : trySmtp, (second) => [first, second] as const),
        );
  const at = ({ host, port }: MailServer, result: ProbeResult) => ({
    host,
    port,
    cause: result._tag === "Failed" ? result.cause : null,
  });
  return {
    imap: at(servers.imap, imap),
    smtp: at(servers.smtp, smtp),
    capabilities: imap._tag === "Accepted" ? imap.capabilities : [],
    present: imap._tag === "Accepted" ? imap.present : null,
    isUnclear: imap._tag === "Failed" && imap.isUnclear === true,
  } satisfies Verification;
});

/**
 * Checks candidates, the best first, until both servers of a candidate accept the credential. If none does, returns the
 * result of the first candidate, which is the most likely.
 */
export const chooseServers = Effect.fnUntraced(function* (
  verifier: AccountVerifier,
  account: AccountId,
  [best, ...others]: readonly [AccountServers, ...ReadonlyArray<AccountServers>],
  credential: MailCredential,
) {
  const first = [best, yield* verifyServers(verifier, account, best, credential)] as const;
  if (isVerified(first[1])) return first;
  for (const servers of others.slice(0, MAX_TRIED - 1)) {
    const verification = yield* verifyServers(verifier, account, servers, credential);
    if (isVerified(verification)) return [servers, verification] as const;
  }
  return first;
});

/** Returns the error for servers that do not accept a credential. */
export const unverified = ({ imap, smtp, isUnclear }: Verification) => new AccountUnverified({ imap, smtp, isUnclear });

/** Returns the stored credential, refused or not; none for a grant that has ended. */
export const findStored = ({ tokens }: AccountVerifier, account: AccountId, kept: FoundCredential) =>
  kept._tag === "Password"
    ? Effect.succeedSome<MailCredential>(kept)
    : tokens.of(account).pipe(
        Effect.map((token) => Option.some<MailCredential>({ _tag: "AccessToken", username: kept.username, token })),
        Effect.catchTag("GrantRefused", () => Effect.succeedNone),
      );

/** Verifies the stored credential. A refused token is replaced once, because it may have just expired. */
export const verifyStored = Effect.fnUntraced(function* (
  verifier: AccountVerifier,
  account: AccountId,
  kept: FoundCredential,
  servers: AccountServers,
) {
  const credential = Option.getOrUndefined(yield* findStored(verifier, account, kept));
  if (credential === undefined) return refusedVerification(servers);
  const first = yield* verifyServers(verifier, account, servers, credential);
  const hasRefused = first.imap.cause !== null && CREDENTIAL_CAUSES.has(first.imap.cause);
  if (!hasRefused || credential._tag === "Password") return first;
  const isRenewed = yield* Effect.catchTag(verifier.tokens.renew(account, credential.token), "GrantRefused", () =>
    Effect.succeed(false),
  );
  const replacement = isRenewed ? yield* findStored(verifier, account, kept) : Option.none();
  return Option.isNone(replacement) ? first : yield* verifyServers(verifier, account, servers, replacement.value);
});

/** Stores what a verification of the stored credential found, unless the account has changed since `account` was read. */
export const keepVerification = Effect.fnUntraced(function* (
  on: Effect.Success<typeof refusalReporter> & Effect.Success<typeof resumePorts>,
  account: Account,
  kept: FoundCredential,
  checked: Verification,
) {
  const { directory, vault, transaction } = on;
  const { id } = account;
  yield* transaction.run(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis;
      const isAccepted = checked.imap.cause === null;
      const recorded = yield* directory.change(id, (known) => {
        const isOfOldServers = !areSameServers(account.servers, known.servers);
        if (isOfOldServers || (isAccepted && isRefusedSince(account, known))) return [null, known];
        const [isRefused, next] = recordVerification(known, checked, now);
        return [{ isRefused, known }, next];
      });
      const before = Option.getOrNull(recorded);
      if (before === null) return;
      if (before.isRefused) {
        yield* vault.markRejected(id, kept.version);
        yield* reportRefusal(on, id);
      } else if (isAccepted && before.known.refusedAt !== null) {
        // Of two verifications at once, only one lifts the refusal.
        if (yield* vault.markAccepted(id, kept.version)) yield* recover(on, before.known, now);
      }
    }),
  );
});

const isRefused = (result: ProbeResult): boolean => result._tag === "Failed" && CREDENTIAL_CAUSES.has(result.cause);
