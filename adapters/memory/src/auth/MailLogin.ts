import { LoginRefused, MailLogin } from "@postern/core/auth";
import { Effect, Layer } from "effect";
import { conductTo, failureOf, findServers, MailWorld } from "../mail/MailWorld.ts";

/** Signs in to the accounts of a `MailWorld`. */
export const layer = Layer.effect(
  MailLogin,
  Effect.gen(function* () {
    const world = yield* MailWorld;
    const serversOf = yield* findServers;
    return MailLogin.of({
      verify: Effect.fnUntraced(function* (id, credential, given) {
        const server = given ?? (yield* serversOf(id))?.imap;
        const mail = server === undefined ? world : world.at(server.host);
        const conduct = conductTo(mail, credential.username);
        if (conduct === "unclear") return yield* new LoginRefused({ isUnclear: true });
        if (conduct !== undefined) return yield* failureOf(conduct);
        const account = mail.signIn(credential);
        return account === undefined ? yield* new LoginRefused() : account.mailbox("INBOX").cursor;
      }),
    });
  }),
);
