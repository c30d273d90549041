import { LoginRefused, MailLogin } from "@postern/core/auth";
import { MailServers } from "@postern/core/mail";
import { Effect, Layer, Option } from "effect";
import { failureOf, MailWorld } from "../mail/MailWorld.ts";

/** Signs in to the accounts of a `MailWorld`. */
export const layer = Layer.effect(
  MailLogin,
  Effect.gen(function* () {
    const world = yield* MailWorld;
    const servers = yield* Effect.serviceOption(MailServers);
    return MailLogin.of({
      verify: Effect.fnUntraced(function* (id, credential, given) {
        const found = given !== undefined || Option.isNone(servers) ? undefined : servers.value.of(id);
        const server =
          given ?? (found && (yield* Effect.catchTag(found, "NoMailServers", () => failureOf("away"))).imap);
        const mail = server === undefined ? world : world.at(server.host);
        const conduct = mail.conductTo(credential.username);
        if (conduct === "unclear") return yield* new LoginRefused({ isUnclear: true });
        if (conduct !== undefined) return yield* failureOf(conduct);
        const account = mail.signIn(credential);
        return account === undefined ? yield* new LoginRefused() : account.mailbox("INBOX").cursor;
      }),
    });
  }),
);
