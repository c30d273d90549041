import { type AccountId, EgressGuard } from "@postern/core/shared";
import { type MailboxAccessError, MailServerError, MailServers } from "@postern/core/mail";
import { type ConnectionPurpose, HostAdmission, ProtocolRecorder } from "@postern/core/accounts";
import { MailCredentials } from "@postern/core/oauth";
import { Clock, Context, Effect, Exit, Layer, Option, type Scope } from "effect";
import type { ImapFlow } from "imapflow";
import { AccountConnections } from "./AccountConnections.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { countFromZero } from "../connection/imap-metrics.ts";
import { disconnect, isConnected, type Lane, type Slot } from "./Slots.ts";

/** Keeps connections to the mail servers, for each account and never shared between accounts (spec 1). */
export class ImapConnections extends Context.Service<
  ImapConnections,
  {
    /**
     * Takes a connection, preferably one with this mailbox open, runs `begin` on it and holds it until the scope
     * closes. If the connection is lost during `begin`, or closed as unusable, `begin` runs once more on a new one.
     */
    readonly hold: <A, E>(
      account: AccountId,
      lane: Lane,
      mailbox: string,
      begin: (client: ImapFlow) => Effect.Effect<A, E | MailServerError>,
      purpose?: ConnectionPurpose,
    ) => Effect.Effect<A, E | MailboxAccessError, Scope.Scope>;
  }
>()("@postern/imap/ImapConnections") {
  static readonly layer = (
    settings: ImapSettings,
  ): Layer.Layer<ImapConnections, never, MailServers | MailCredentials | EgressGuard | HostAdmission> =>
    Layer.effect(
      ImapConnections,
      Effect.gen(function* () {
        const servers = yield* MailServers;
        const guard = yield* EgressGuard;
        const hosts = yield* HostAdmission;
        const credentials = yield* MailCredentials;
        const recorder = yield* ProtocolRecorder;
        const clock = yield* Clock.Clock;
        const scope = yield* Effect.scope;
        const accounts = new Map<AccountId, AccountConnections>();
        yield* countFromZero;
        const sweeping = new Set<AccountId>();
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            for (const { slots } of accounts.values()) slots.closeAll();
          }),
        );

        yield* recorder.onChange((account) => accounts.get(account)?.followRecording());

        const connectionsOf = (account: AccountId): AccountConnections => {
          let connections = accounts.get(account);
          if (connections === undefined) {
            connections = new AccountConnections(
              account,
              settings,
              servers,
              credentials,
              guard,
              hosts,
              recorder,
              clock,
            );
            accounts.set(account, connections);
          }
          return connections;
        };

        /** Closes connections that have been idle too long; ends when none is left open. */
        const sweep = Effect.fnUntraced(function* (account: AccountId, { slots }: AccountConnections) {
          const { idle } = settings.timeouts;
          while (!slots.isQuiet()) {
            const now = yield* Clock.currentTimeMillis;
            yield* Effect.sleep(Math.max(1, (slots.idleSince() ?? now) + idle - now));
            const limit = (yield* Clock.currentTimeMillis) - idle;
            slots.closeFree((slot) => slot.idleSince <= limit);
          }
          sweeping.delete(account);
          accounts.delete(account);
        });

        const release = (account: AccountId, connections: AccountConnections, slot: Slot) =>
          Effect.suspend(() => {
            connections.slots.release(slot);
            if (sweeping.has(account)) return Effect.void;
            sweeping.add(account);
            return Effect.asVoid(Effect.forkIn(sweep(account, connections), scope));
          });

        const hold = <A, E>(
          account: AccountId,
          lane: Lane,
          mailbox: string,
          begin: (client: ImapFlow) => Effect.Effect<A, E | MailServerError>,
          purpose: ConnectionPurpose = "request",
        ): Effect.Effect<A, E | MailboxAccessError, Scope.Scope> =>
          Effect.uninterruptibleMask((restore) =>
            Effect.gen(function* () {
              for (;;) {
                // Nothing yields between the two calls, so no sweep can run there.
                const connections = connectionsOf(account);
                const slot = connections.slots.take(lane, mailbox) ?? (yield* restore(connections.wait(lane, mailbox)));
                const attempt = Effect.flatMap(connections.connection(slot, purpose), (client) =>
                  client === undefined ? WAIT_FOR_ANOTHER : Effect.asSome(begin(client)),
                );
                // A failed attempt to connect leaves no client in the slot, and is not retried.
                const died = (error: unknown) =>
                  slot.client !== undefined && (isUnreachable(error) || (!isConnected(slot) && !isFinal(error)));
                const again = Effect.suspend(() => {
                  disconnect(slot);
                  return attempt;
                });
                const exit = yield* Effect.exit(restore(Effect.catchIf(attempt, died, () => again)));
                if (Exit.isSuccess(exit) && Option.isSome(exit.value)) {
                  yield* Effect.addFinalizer((ended) =>
                    Effect.andThen(
                      release(account, connections, slot),
                      Exit.isSuccess(ended) ? credentials.recordAnswer(account) : Effect.void,
                    ),
                  );
                  return exit.value.value;
                }
                yield* release(account, connections, slot);
                if (Exit.isFailure(exit)) return yield* Effect.failCause(exit.cause);
              }
            }),
          );

        return ImapConnections.of({ hold });
      }),
    );
}

const WAIT_FOR_ANOTHER = Effect.succeed(Option.none());

const isUnreachable = (error: unknown): boolean => error instanceof MailServerError && error.reason === "unreachable";

/** Returns whether an error must not be retried: after a timeout no time is left, and a flood would happen again. */
const isFinal = (error: unknown): boolean =>
  error instanceof MailServerError && (error.reason === "timeout" || error.reason === "flood");
