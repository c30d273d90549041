import type { AccountId } from "@postern/core/shared";
import type { MailCredential } from "@postern/core/auth";
import { Context, type Effect } from "effect";
import type { SmtpBehaviour, TakenMessage } from "./SmtpBehaviour.ts";

/** Steers and looks at the server behind a MailTransport, beside the port. */
export class MailTransportControl extends Context.Service<
  MailTransportControl,
  {
    /** An account the server knows. */
    readonly newAccount: Effect.Effect<{ readonly account: AccountId; readonly credential: MailCredential }>;
    /** From here on the server treats everybody so. */
    readonly behave: (behaviour: SmtpBehaviour) => Effect.Effect<void>;
    /** Ends the server and its connections, and brings it back. */
    readonly stop: Effect.Effect<void>;
    readonly start: Effect.Effect<void>;
    /** What the server took from this sender, in order, also where the client was not told of it. */
    readonly taken: (from: string) => Effect.Effect<ReadonlyArray<TakenMessage>>;
  }
>()("@postern/testkit/MailTransportControl") {}
