import { LoginRefused, MailLogin } from "@postern/core";
import { Effect, Layer, Redacted } from "effect";
import { connect } from "./connect.ts";
import type { ImapSettings } from "./ImapOptions.ts";

/** Signs in at the IMAP server and out again (decisions 3). */
export const mailLogin = (settings: ImapSettings): Layer.Layer<MailLogin> =>
  Layer.succeed(
    MailLogin,
    MailLogin.of({
      verify: Effect.fn("MailLogin.verify")(function* (credential) {
        // Neither can be said in IMAP (RFC 4616, 2), so no server can know them.
        const said = [credential.username, Redacted.value(credential.password)];
        if (said.some((text) => text === "" || text.includes("\0"))) return yield* new LoginRefused();
        yield* connect(settings, credential, { andLeave: true });
      }),
    }),
  );
