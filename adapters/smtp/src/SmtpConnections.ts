import { isSameServer, type MailServer } from "@postern/core/mail";
import type { AccountId } from "@postern/core/shared";
import { Clock, Context, Effect, Layer, Scope, Semaphore } from "effect";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import { isAlive } from "./nodemailer-internals.ts";
import type { SmtpSettings } from "./SmtpOptions.ts";

/** The server and the version of the credential with which a connection signed in, and whether the protocol log records it. */
export interface SignedInAs {
  readonly server: MailServer;
  readonly version: number;
  readonly isRecorded: boolean;
}

/** A signed-in, idle connection. Time in epoch milliseconds. */
interface Idle extends SignedInAs {
  readonly connection: SMTPConnection;
  readonly since: number;
}

/** The number of messages after which Postern closes a connection, before servers close it themselves. */
const MESSAGES_PER_CONNECTION = 100;

/** Keeps connections to the SMTP server, for each account and never shared between accounts (spec 6). */
export class SmtpConnections extends Context.Service<
  SmtpConnections,
  {
    /** Waits for one of the account's places, and occupies it until the scope closes. */
    readonly place: (account: AccountId) => Effect.Effect<void, never, Scope.Scope>;
    /**
     * Takes an idle connection that signed in the same way, or returns undefined. Closes idle connections that signed
     * in otherwise.
     */
    readonly take: (account: AccountId, as: SignedInAs) => SMTPConnection | undefined;
    /** Keeps a connection for another message. */
    readonly release: (account: AccountId, connection: SMTPConnection, as: SignedInAs) => Effect.Effect<void>;
  }
>()("@postern/smtp/SmtpConnections") {
  static readonly layer = (settings: SmtpSettings): Layer.Layer<SmtpConnections> =>
    Layer.effect(
      SmtpConnections,
      Effect.gen(function* () {
        const scope = yield* Effect.scope;
        const places = new Map<AccountId, { readonly semaphore: Semaphore.Semaphore; users: number }>();
        const idle = new Map<AccountId, Array<Idle>>();
        const sweeping = new Set<AccountId>();
        const sent = new WeakMap<SMTPConnection, number>();
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            for (const { connection } of [...idle.values()].flat()) connection.close();
          }),
        );

        const place = Effect.fnUntraced(function* (account: AccountId) {
          const held = places.get(account) ?? {
            semaphore: Semaphore.makeUnsafe(settings.connectionsPerAccount),
            users: 0,
          };
          places.set(account, held);
          held.users++;
          yield* Effect.addFinalizer(() =>
            Effect.sync(() => {
              if (--held.users === 0) places.delete(account);
            }),
          );
          yield* Effect.acquireRelease(held.semaphore.take(1), () => held.semaphore.release(1), {
            interruptible: true,
          });
        });

        const take = (account: AccountId, { server, version, isRecorded }: SignedInAs): SMTPConnection | undefined => {
          const kept = idle.get(account) ?? [];
          for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
            const isSame =
              last.version === version && last.isRecorded === isRecorded && isSameServer(last.server, server);
            if (isSame && isAlive(last.connection)) return last.connection;
            last.connection.close();
          }
          return undefined;
        };

        /** Closes connections that have been idle too long; ends when none is left. */
        const sweep = Effect.fnUntraced(function* (account: AccountId) {
          for (let kept = idle.get(account) ?? []; kept.length > 0; kept = idle.get(account) ?? []) {
            const oldest = kept.reduce((least, { since }) => Math.min(least, since), Infinity);
            yield* Effect.sleep(Math.max(1, oldest + settings.timeouts.idle - (yield* Clock.currentTimeMillis)));
            const limit = (yield* Clock.currentTimeMillis) - settings.timeouts.idle;
            const all = idle.get(account) ?? [];
            for (const { connection, since } of all) if (since <= limit) connection.quit();
            idle.set(
              account,
              all.filter(({ since }) => since > limit),
            );
          }
          idle.delete(account);
          sweeping.delete(account);
        });

        const release = Effect.fnUntraced(function* (account: AccountId, connection: SMTPConnection, as: SignedInAs) {
          const messages = (sent.get(connection) ?? 0) + 1;
          sent.set(connection, messages);
          if (messages >= MESSAGES_PER_CONNECTION || !isAlive(connection)) return connection.quit();
          const since = yield* Clock.currentTimeMillis;
          idle.set(account, [...(idle.get(account) ?? []), { ...as, connection, since }]);
          if (sweeping.has(account)) return;
          sweeping.add(account);
          yield* Effect.forkIn(sweep(account), scope);
        });

        return SmtpConnections.of({ place, take, release });
      }),
    );
}
