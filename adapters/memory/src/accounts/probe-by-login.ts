import { type ProbeResult, ServerProbe } from "@postern/core/accounts";
import { type MailCredential, MailLogin } from "@postern/core/auth";
import type { MailServer } from "@postern/core/mail";
import { accountIdOf } from "@postern/core/shared";
import { Effect, Layer, Option } from "effect";

const CAPABILITIES = ["CONDSTORE", "ENABLE", "IDLE", "IMAP4REV1", "MOVE", "QRESYNC", "SPECIAL-USE", "UIDPLUS"];

/** A probe for one mail world, in which every server has every account: `MailLogin` decides. */
export const ServerProbeByLogin: Layer.Layer<ServerProbe, never, MailLogin> = Layer.effect(
  ServerProbe,
  Effect.map(MailLogin, (login) => {
    const signIn = (_server: MailServer, credential: MailCredential): Effect.Effect<ProbeResult> =>
      Option.match(accountIdOf(credential.username), {
        onNone: () => Effect.succeed<ProbeResult>({ _tag: "Failed", cause: "auth_refused" }),
        onSome: (account) =>
          Effect.match(login.verify(account, credential), {
            onSuccess: (present): ProbeResult => ({ _tag: "Accepted", capabilities: CAPABILITIES, present }),
            onFailure: ({ _tag }) => ({ _tag: "Failed", cause: _tag === "LoginRefused" ? "auth_refused" : "refused" }),
          }),
      });
    return { imap: signIn, smtp: signIn };
  }),
);
