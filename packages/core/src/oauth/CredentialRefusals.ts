import { Context, Effect, Layer, Option, Queue } from "effect";
import { AccountDirectory } from "../accounts/index.ts";
import { type GrantFault, withoutGrant } from "../accounts/neighbours.ts";
import { CredentialVault } from "../auth/index.ts";
import type { AccountId, StoreUnavailable } from "../shared/index.ts";

/** Records refusals of credentials, for the worker that publishes them (spec 10.3). */
export class CredentialRefusals extends Context.Service<
  CredentialRefusals,
  {
    /**
     * Records that an account's credential is refused. `fault` is the provider's reason; null if the mail server
     * refused the credential.
     */
    readonly record: (account: AccountId, fault: GrantFault | null) => Effect.Effect<void, StoreUnavailable>;
    /** Notifies this process, after the transaction, that refusals were recorded. */
    readonly announce: Effect.Effect<void>;
    /** Waits until this process records a refusal. */
    readonly awaitRecorded: Effect.Effect<void>;
  }
>()("@postern/core/oauth/CredentialRefusals") {
  static readonly layer = Layer.effect(
    CredentialRefusals,
    Effect.gen(function* () {
      const vault = yield* CredentialVault;
      const directory = yield* AccountDirectory;
      const signals = yield* Queue.sliding<void>(1);

      return CredentialRefusals.of({
        record: Effect.fnUntraced(function* (account, fault) {
          const version = yield* Effect.catchTag(
            Effect.asSome(vault.version(account)),
            "MailboxCredentialsRejected",
            () => Effect.succeedNone,
          );
          if (Option.isNone(version)) return;
          yield* vault.markRejected(account, version.value);
          if (fault !== null) {
            yield* directory.change(account, (known) => [undefined, withoutGrant(known, fault)]);
          }
        }),
        announce: Effect.asVoid(Queue.offer(signals, undefined)),
        awaitRecorded: Queue.take(signals),
      });
    }),
  );
}
