import type { CredentialVault } from "@postern/core/auth";
import type { MailCredentials } from "@postern/core/oauth";
import { HostAdmission } from "@postern/core/accounts";
import type { EgressGuard } from "@postern/core/shared";
import { type MailServer, MailServers } from "@postern/core/mail";
import { Layer } from "effect";
import { passwordsOnly } from "./mail-credentials.ts";
import { scriptedGuard } from "./scripted-guard.ts";

/** Puts every account on one server that a test started, of which it uses one protocol. The guard exempts loopback. */
export const mailServersAt = (
  { tls = "plaintext", origin = "operator", ...address }: Pick<MailServer, "host" | "port"> & Partial<MailServer>,
  credentials: Layer.Layer<MailCredentials, never, CredentialVault> = passwordsOnly,
): Layer.Layer<MailServers | EgressGuard | HostAdmission | MailCredentials, never, CredentialVault> => {
  const server = { ...address, tls, origin };
  return Layer.mergeAll(
    MailServers.fixed({ imap: server, smtp: server }),
    scriptedGuard(),
    HostAdmission.unlimited,
    credentials,
  );
};
