import { LoginRefused, MailLogin } from "@postern/core/auth";
import { Effect, Layer } from "effect";
import { MailWorld } from "../mail/MailWorld.ts";

/** Signs in to the accounts of a `MailWorld`. */
export const layer = Layer.effect(
  MailLogin,
  Effect.map(MailWorld, (world) => ({
    verify: (_account, credential) =>
      Effect.suspend(() => {
        const account = world.signIn(credential);
        return account === undefined
          ? Effect.fail(new LoginRefused())
          : Effect.succeed(account.mailbox("INBOX").cursor);
      }),
  })),
);
