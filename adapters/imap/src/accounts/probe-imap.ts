import {
  type ConnectionCause,
  CREDENTIAL_CAUSES,
  type ProbeResult,
  ProtocolRecorder,
  type ServerProbe,
} from "@postern/core/accounts";
import { type MailCredential, secretOf } from "@postern/core/auth";
import type { MailServerError } from "@postern/core/mail";
import { type AddressDenied, EgressGuard, type HostUnresolved } from "@postern/core/shared";
import { Effect } from "effect";
import type { ImapFlow, ImapFlowError } from "imapflow";
import { isTransmittable } from "../connection/is-transmittable.ts";
import { inboxCursor } from "../selecting/mailbox-status.ts";
import { type ImapOptions, settingsOf } from "../connection/ImapOptions.ts";
import { NotOpened, openClient } from "../connection/open-client.ts";
import { NOT_CONNECTED } from "../connection/imap-failure.ts";
import { causeOf, isExplainedRefusal } from "../connection/imap-cause.ts";

/** The time limit of a whole probe, in milliseconds: less than the ten seconds within which callers expect an answer. */
const WITHIN = 9_000;

const REASONS: { readonly [R in MailServerError["reason"]]: ConnectionCause } = {
  unreachable: "protocol",
  untrusted: "certificate_untrusted",
  timeout: "timeout",
  busy: "unavailable",
  limited: "unavailable",
  protocol: "protocol",
  flood: "server_flood",
  not_permitted: "imap_disabled",
  over_quota: "protocol",
  sign_in_unclear: "auth_refused",
  provider_unavailable: "unavailable",
  app_misconfigured: "unavailable",
  credential_unreadable: "unavailable",
};

const failed = (cause: ConnectionCause, unclear = false): ProbeResult => ({
  _tag: "Failed",
  cause,
  ...(unclear ? { isUnclear: true } : {}),
});

const failedBy = (failure: AddressDenied | HostUnresolved | NotOpened, credential: MailCredential): ProbeResult => {
  const cause = causeOf(failure, credential);
  const isRefused = CREDENTIAL_CAUSES.has(cause) && failure instanceof NotOpened;
  return failed(cause, isRefused && !isExplainedRefusal(failure.error as ImapFlowError));
};

/** Implements `ServerProbe` for IMAP: signs in, reads the current cursor of INBOX, and closes the connection. */
export const probeImap = (
  options: ImapOptions = {},
): Effect.Effect<ServerProbe["Service"]["imap"], never, EgressGuard> =>
  Effect.gen(function* () {
    const guard = yield* EgressGuard;
    const recorder = yield* ProtocolRecorder;
    const settings = settingsOf(options);

    const look = Effect.fnUntraced(function* (client: ImapFlow): Effect.fn.Return<ProbeResult, MailServerError> {
      // A PREAUTH greeting admits every client without checking the password.
      if (client.greeting === undefined) return failed("protocol");
      const present = yield* inboxCursor(client, settings.timeouts.command);
      return { _tag: "Accepted", capabilities: [...client.capabilities.keys()].toSorted(), present };
    });

    const tryOut: ServerProbe["Service"]["imap"] = (server, credential, account) =>
      Effect.uninterruptibleMask((restore) => {
        const recording = recorder.open(account, "imap", server, [secretOf(credential)]);
        const opening = openClient(guard, settings, server, credential, "verification", recording);
        return Effect.flatMap(restore(opening), (client) =>
          Effect.ensuring(
            restore(look(client)),
            Effect.sync(() => client.close()),
          ),
        );
      }).pipe(
        Effect.timeout(WITHIN),
        Effect.catchTag("MailServerError", ({ reason, detail }) =>
          Effect.succeed(NOT_CONNECTED.test(detail) ? failed("imap_disabled", true) : failed(REASONS[reason])),
        ),
        Effect.catchTag("TimeoutError", () => Effect.succeed(failed("timeout"))),
        Effect.catch((failure) => Effect.succeed(failedBy(failure, credential))),
      );

    const probe: ServerProbe["Service"]["imap"] = (server, credential, account) =>
      isTransmittable(credential) ? tryOut(server, credential, account) : Effect.succeed(failed("auth_refused"));
    return probe;
  });
