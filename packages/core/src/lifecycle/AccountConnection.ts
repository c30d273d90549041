import { Context, Effect, Layer, Option, type Redacted } from "effect";
import {
  type Account,
  AccountDirectory,
  type AccountUnverified,
  causeOf,
  CREDENTIAL_CAUSES,
} from "../accounts/index.ts";
import { Audit, AuditTrail } from "../audit/index.ts";
import { AddressMalformed, LoginRefused, ServiceKeys, type TooManyLoginFailures } from "../auth/index.ts";
import { LoginThrottle } from "../auth/neighbours.ts";
import type { LinkExpired } from "../oauth/index.ts";
import type { ConnectRequest, OfferedGrant } from "../oauth/neighbours.ts";
import { accountIdOf, type StoreUnavailable } from "../shared/index.ts";
import { AccountChanges } from "./AccountChanges.ts";
import { AccountCreation } from "./AccountCreation.ts";
import { delayFailures } from "./mask-failures.ts";
import type { AccountCreationError } from "./NewAccount.ts";

/** The reason why a connection failed. */
export type ConnectionError =
  | Exclude<AccountCreationError, { readonly _tag: "AccountExists" | "ServersFixed" }>
  | StoreUnavailable;

/** Ends a request for a connection, in the transaction that connects the account; fails if the request has ended. */
type Ending = Effect.Effect<void, LinkExpired | StoreUnavailable>;

/**
 * Connects the account of an application's user: creates it, or reconnects an existing account (spec 11.3). `ending`
 * ends the request, so that it connects one account only.
 */
export class AccountConnection extends Context.Service<
  AccountConnection,
  {
    /** Connects an account by a consent. Failures of the mail server are answered ten seconds after the request. */
    readonly byGrant: (
      request: ConnectRequest,
      email: string,
      grant: OfferedGrant,
      ending: Ending,
    ) => Effect.Effect<Account, ConnectionError | LinkExpired>;
    /** Connects an account by a password from its user; failures count for the user's network. */
    readonly byPassword: (
      request: ConnectRequest,
      email: string,
      password: Redacted.Redacted,
      network: string,
      ending: Ending,
    ) => Effect.Effect<Account, ConnectionError | LinkExpired | LoginRefused | TooManyLoginFailures>;
  }
>()("@postern/core/lifecycle/AccountConnection") {
  static readonly layer = Layer.effect(
    AccountConnection,
    Effect.gen(function* () {
      const directory = yield* AccountDirectory;
      const creation = yield* AccountCreation;
      const changes = yield* AccountChanges;
      const throttle = yield* LoginThrottle;
      const keys = yield* ServiceKeys;
      const audit = yield* Audit;

      const addressOf = (email: string) =>
        Effect.mapError(Effect.fromOption(accountIdOf(email)), () => new AddressMalformed());

      /** Returns the sender of the request for the connection, because the user who opens the link has no credential of this service. */
      const senderOf = ({ key }: ConnectRequest) =>
        key === undefined
          ? Effect.succeed({ key: "admin", application: null })
          : Effect.map(keys.find(key), (found) => ({
              key,
              application: Option.match(found, { onNone: () => null, onSome: ({ application }) => application }),
            }));

      const connectOne = Effect.fnUntraced(function* (
        request: ConnectRequest,
        email: string,
        secret: { readonly grant: OfferedGrant } | { readonly password: Redacted.Redacted },
        ending: Ending,
      ): Effect.fn.Return<Account, ConnectionError | LinkExpired> {
        const { tags, reach } = request;
        const id = yield* addressOf(email);
        const known = Option.getOrNull(yield* directory.find(id));
        // These errors cannot occur: a user's request names no servers and no version, contains a credential, and has
        // no idempotency key.
        const impossible = (error: { readonly _tag: string }) => Effect.die(error);
        if (known?.managed === true) {
          const patch = { ...secret, ...(tags === null ? {} : { tags }) };
          const changed = changes.change(id, patch, reach, undefined, ending);
          return yield* Effect.catchTags(changed, {
            AccountChanged: impossible,
            MailServerError: impossible,
            MailboxCredentialsRejected: impossible,
            CredentialRequired: impossible,
            ServersFixed: impossible,
          });
        }
        const created = creation.create(
          {
            email,
            name: null,
            tags: tags ?? known?.tags ?? [],
            imap: null,
            smtp: null,
            secret: "grant" in secret ? { _tag: "Offered", ...secret } : { _tag: "Password", ...secret },
          },
          reach,
          undefined,
          ending,
        );
        return yield* Effect.catchTags(created, {
          // Another request created the account meanwhile.
          AccountExists: () => connectOne(request, email, secret, ending),
          ServersFixed: impossible,
          IdempotencyKeyReused: impossible,
          CreatedThenDeleted: impossible,
          CreationInProgress: impossible,
        });
      });

      const connect = (...[request, ...how]: Parameters<typeof connectOne>) =>
        Effect.flatMap(senderOf(request), (sender) =>
          Effect.provideService(connectOne(request, ...how), AuditTrail, audit.trailOf(sender)),
        );

      return AccountConnection.of({
        byGrant: Effect.fn("AccountConnection.byGrant")((request, email, grant, ending) =>
          delayFailures(connect(request, email, { grant }, ending)),
        ),
        byPassword: Effect.fn("AccountConnection.byPassword")(function* (request, email, password, network, ending) {
          const id = yield* addressOf(email);
          const known = Option.getOrNull(yield* directory.find(id));
          const credential = { _tag: "Password", username: email, password } as const;
          const tried =
            known !== null && known.authKind !== "password"
              ? Effect.fail(new LoginRefused())
              : Effect.catchTag(connect(request, email, { password }, ending), "AccountUnverified", (error) =>
                  Effect.fail(isRefusal(error) ? new LoginRefused({ isUnclear: error.isUnclear === true }) : error),
                );
          return yield* delayFailures(throttle.limit(id, credential, network, tried));
        }),
      });
    }),
  );
}

/** Returns whether a mail server refused the credential. */
const isRefusal = ({ imap, smtp }: AccountUnverified): boolean => {
  const cause = causeOf({ imap, smtp });
  return cause !== null && CREDENTIAL_CAUSES.has(cause);
};
