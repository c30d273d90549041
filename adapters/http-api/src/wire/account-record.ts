import type { AccountRecord, Checks, OwnAccount } from "@postern/api";
import {
  type Account,
  type AccountDetails,
  faultMessage,
  type Check,
  providerOfImapHost,
  reasonOf,
  type ServerCandidate,
  stateOf,
} from "@postern/core/accounts";
import type { MailServer } from "@postern/core/mail";
import type { OpaqueIds } from "@postern/core/shared";
import { instantOf, instantOrNull } from "./instant-of.ts";

const SECURITY = { implicit: "tls", starttls: "starttls", plaintext: "none" } as const;

/** Returns a mail server as the API shows it. */
export const serverRecord = ({ host, port, tls, username, certificateSha256 }: MailServer) => ({
  host,
  port,
  security: SECURITY[tls],
  username: username ?? null,
  certificateSha256: certificateSha256 ?? null,
});

/** Returns an account as the API shows it to its own user. */
export const ownAccount = (
  account: Account,
  follow: (typeof OwnAccount.Type)["follow"],
  following: (typeof OwnAccount.Type)["following"],
): typeof OwnAccount.Type => ({ ...ownFields(account), follow, following });

const ownFields = (account: Account) => {
  const reason = reasonOf(account);
  return {
    email: account.id,
    state: stateOf(account),
    reason:
      reason === null
        ? null
        : { code: reason.cause, message: faultMessage(reason.cause), since: instantOf(reason.since) },
    auth: { kind: account.authKind, provider: account.provider },
  };
};

/** Returns an account as the API shows it to its operator and applications. */
export const accountRecord = (
  ids: OpaqueIds["Service"],
  { account, servers, isWatched, follow }: AccountDetails,
  version: string,
): typeof AccountRecord.Type => {
  return {
    ...ownFields(account),
    id: ids.accountId(account.id),
    version,
    name: account.name,
    managed: account.managed,
    imap: servers === null ? null : serverRecord(servers.imap),
    smtp: servers === null ? null : serverRecord(servers.smtp),
    capabilities: account.capabilities,
    provider: (servers === null ? undefined : providerOfImapHost(servers.imap.host))?.id ?? null,
    tags: account.tags,
    follow,
    watched: isWatched,
    createdAt: instantOf(account.createdAt),
    lastSeenAt: instantOrNull(account.lastSeenAt),
  };
};

const checkRecord = ({ host, port, cause }: Check) => ({
  ok: cause === null,
  cause,
  message: cause === null ? "The server accepted the sign-in." : faultMessage(cause),
  host,
  port,
});

/** Returns the results of a verification as the API shows them. */
export const checksRecord = ({ imap, smtp }: { readonly imap: Check; readonly smtp: Check }): typeof Checks.Type => ({
  imap: checkRecord(imap),
  smtp: checkRecord(smtp),
});

/** Returns a candidate of a discovery as the API shows it. */
export const candidateRecord = ({ source, reason, provider, imap, smtp, signIn }: ServerCandidate) => ({
  source,
  reason,
  provider: provider?.id ?? null,
  imap: { host: imap.host, port: imap.port, security: SECURITY[imap.tls] },
  smtp: { host: smtp.host, port: smtp.port, security: SECURITY[smtp.tls] },
  signIn: signIn.map((kind) => ({
    kind: kind.kind,
    helpPage: kind.kind === "app_password" ? kind.helpPage : null,
    provider: kind.kind === "oauth2" ? kind.provider : null,
  })),
});
