import { type MailServer, MailServers } from "@postern/core/mail";
import { type AccountId, EgressGuard } from "@postern/core/shared";
import { HostAdmission, ProtocolRecorder } from "@postern/core/accounts";
import { LoginRefused, type MailCredential, MailLogin, secretOf } from "@postern/core/auth";
import { Effect, Layer } from "effect";
import type { ImapFlow } from "imapflow";
import { awaitAdmission } from "../session/await-admission.ts";
import { command } from "../connection/command.ts";
import { connect } from "../connection/connect.ts";
import { inboxCursor } from "../selecting/mailbox-status.ts";
import type { ImapSettings } from "../connection/ImapOptions.ts";
import { serverOf } from "../session/server-of.ts";
import { isTransmittable } from "../connection/is-transmittable.ts";

/** Verifies a credential by a sign-in at the account's IMAP server, followed by LOGOUT (spec 3). */
export const layer = (
  settings: ImapSettings,
): Layer.Layer<MailLogin, never, MailServers | EgressGuard | HostAdmission> =>
  Layer.effect(
    MailLogin,
    Effect.gen(function* () {
      const scope = yield* Effect.scope;
      const servers = yield* MailServers;
      const guard = yield* EgressGuard;
      const hosts = yield* HostAdmission;
      const recorder = yield* ProtocolRecorder;
      const timeout = settings.timeouts.command;

      const verify = Effect.fn("MailLogin.verify")(function* (
        account: AccountId,
        credential: MailCredential,
        given?: MailServer,
      ) {
        // This check comes before the wait for a turn at the host.
        if (!isTransmittable(credential)) return yield* new LoginRefused();
        const server = given ?? (yield* serverOf(servers, account));
        yield* awaitAdmission(hosts, server, "request");
        const recording = recorder.open(account, "imap", server, [secretOf(credential)]);
        return yield* Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(restore(connect(guard, settings, server, credential, recording, "verification")), (client) =>
            Effect.ensuring(restore(inboxCursor(client, timeout)), Effect.forkIn(signOut(client, timeout), scope)),
          ),
        ).pipe(
          Effect.catchTag("SignInRefused", ({ told, isExplained }) =>
            Effect.fail(told._tag === "LoginRefused" && !isExplained ? new LoginRefused({ isUnclear: true }) : told),
          ),
        );
      });

      return MailLogin.of({ verify });
    }),
  );

/** Sends LOGOUT without making the caller wait for it. */
const signOut = (client: ImapFlow, timeout: number) =>
  Effect.ensuring(
    Effect.ignore(command(client, "logout", timeout, () => client.logout())),
    Effect.sync(() => client.close()),
  );
