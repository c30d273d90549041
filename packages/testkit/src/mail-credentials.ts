import type { CredentialVault } from "@postern/core/auth";
import { MailCredentials } from "@postern/core/oauth";
import type { Layer } from "effect";

/** The credentials of accounts that all sign in with a password. */
export const passwordsOnly: Layer.Layer<MailCredentials, never, CredentialVault> = MailCredentials.layer;
