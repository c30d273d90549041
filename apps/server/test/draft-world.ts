import { Dovecot, ScriptedSmtp } from "@postern/testkit";
import { Effect, Layer, ManagedRuntime } from "effect";
import { draftClient } from "./draft-client.ts";
import { mailboxView } from "./mailbox-view.ts";
import { post, started } from "./server-process.ts";

export const [ME, OTHER, PASSWORD] = ["me@x.test", "other@x.test", "pass"];

/** A Dovecot and an SMTP server with two accounts, for a suite. */
export const draftMail = () => {
  const runtime = ManagedRuntime.make(Layer.mergeAll(Dovecot.layer(), ScriptedSmtp.layer()));
  const servers = async () => {
    const [dovecot, smtp] = await runtime.runPromise(Effect.all([Dovecot, ScriptedSmtp]));
    for (const user of [ME, OTHER]) {
      await runtime.runPromise(dovecot.setPassword(user, PASSWORD));
      smtp.setPassword(user, PASSWORD);
    }
    return { dovecot, smtp };
  };
  let made: ReturnType<typeof servers> | undefined;
  /** Starts a server, and signs in its accounts. */
  const world = async (environment: Readonly<Record<string, string>> = {}) => {
    const { dovecot, smtp } = await (made ??= servers());
    const { base } = await started({
      IMAP_URL: `imap://127.0.0.1:${dovecot.port}`,
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      SEND_RATE_PER_MINUTE: "1000",
      LOG_LEVEL: "warn",
      ...environment,
    });
    const signedIn = async (email: string) => {
      const login = await post(base, "/api/auth/mobile-login", { email, password: PASSWORD });
      return draftClient(() => base, ((await login.json()) as { readonly token: string }).token);
    };
    const [me, other] = [await signedIn(ME), await signedIn(OTHER)];
    return { base, smtp, me, other, view: await mailboxView(dovecot.port, ME, PASSWORD) };
  };
  return { world, dispose: () => runtime.dispose() };
};
