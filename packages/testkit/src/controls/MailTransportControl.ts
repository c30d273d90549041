import type { AccountId } from "@postern/core/shared";
import type { PasswordCredential } from "@postern/core/auth";
import { Context, type Effect } from "effect";
import type { SmtpBehaviour, TakenMessage } from "./SmtpBehaviour.ts";

/** Controls and inspects the server behind a MailTransport from outside the port. */
export class MailTransportControl extends Context.Service<
  MailTransportControl,
  {
    /** Makes an account on the server. */
    readonly newAccount: Effect.Effect<{ readonly account: AccountId; readonly credential: PasswordCredential }>;
    /** Sets the server's behaviour towards all clients from now on. */
    readonly behave: (behaviour: SmtpBehaviour) => Effect.Effect<void>;
    /** Stops the server and its connections; `start` starts it again. */
    readonly stop: Effect.Effect<void>;
    readonly start: Effect.Effect<void>;
    /** The messages accepted from this sender, in order, even if the client did not get the reply. */
    readonly taken: (from: string) => Effect.Effect<ReadonlyArray<TakenMessage>>;
  }
>()("@postern/testkit/MailTransportControl") {}
