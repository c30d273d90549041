import { PasswordRefused } from "@postern/core/auth";
import { MailServerError } from "@postern/core/mail";
import { Effect } from "effect";

/** Returns the failure as short text: `MailServerError busy`, `LoginRefused`. */
export const failureOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error instanceof MailServerError || error instanceof PasswordRefused ? `${error._tag} ${error.reason}` : error._tag,
  );
