import type { AccountId, StoreUnavailable } from "@postern/core/shared";
import { CredentialVault, type PasswordCredential } from "@postern/core/auth";
import { Effect } from "effect";
import { MailServerControl } from "./MailServerControl.ts";

/** Makes an empty account on the server under test and stores its credential, as a sign-in does. */
export const signedInAccount: Effect.Effect<
  { readonly account: AccountId; readonly credential: PasswordCredential },
  StoreUnavailable,
  MailServerControl | CredentialVault
> = Effect.gen(function* () {
  const control = yield* MailServerControl;
  const vault = yield* CredentialVault;
  const made = yield* control.newAccount;
  yield* vault.keep(made.account, made.credential);
  return made;
});
