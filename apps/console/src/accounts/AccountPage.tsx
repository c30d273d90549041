import { useEffect } from "react";
import { Link } from "wouter";
import { t } from "../texts/text.ts";
import { Bones } from "../ui/Bones.tsx";
import { Failed } from "../ui/Failed.tsx";
import { Moment } from "../ui/Moment.tsx";
import { type Account, connectPath, stateTag, useAccount } from "./records/accounts.ts";
import { AccountTools } from "./AccountTools.tsx";
import { useOAuthApps } from "./oauth/oauth-apps.ts";
import { ProtocolLog } from "./ProtocolLog.tsx";

/** An account with its state, its servers and the actions on it. */
export const AccountPage = ({ params }: { readonly params: { readonly id: string } }) => {
  const query = useAccount(params.id);
  useEffect(() => {
    document.title = "Account · Postern";
  }, []);
  if (query.isPending) return <Bones rows={5} label={t("Loading the account")} />;
  if (query.data === undefined) {
    return (
      <Failed error={query.error} onRetry={query.refetch}>
        <Link href="/accounts" className="button">
          Go to the accounts
        </Link>
      </Failed>
    );
  }
  const account = query.data;
  const { look, word } = stateTag(account.state);
  return (
    <>
      <header className="account-head">
        <h1>{account.email}</h1>
        <p>
          <span className={`tag ${look}`}>{word}</span> {account.name !== null && <span>{account.name}</span>}
        </p>
      </header>
      {account.reason !== null && (
        <div className={look === "bad" ? "notice bad" : "notice warn"}>
          <div>
            <p>
              <strong>{account.reason.message}</strong>
            </p>
            <p>
              Since <Moment at={account.reason.since} whole />.{" "}
              {account.state === "needs_reauth"
                ? SIGN_IN_ADVICE[account.auth.kind]
                : "The service keeps trying. Verify the account after you have removed the cause."}
            </p>
            {account.state === "needs_reauth" && account.auth.kind === "oauth2" && (
              <Link href={connectPath(account)} className="button">
                Make a connect link
              </Link>
            )}
          </div>
        </div>
      )}
      <AccountTools key={account.id} account={account} />
      <Facts account={account} />
      <ProtocolLog key={`log of ${account.id}`} account={account} />
    </>
  );
};

const Facts = ({ account }: { readonly account: Account }) => (
  <dl className="facts">
    <dt>Id</dt>
    <dd className="mono">{account.id}</dd>
    <dt>Signs in</dt>
    <dd>
      <SignInWay auth={account.auth} />
    </dd>
    <dt>IMAP</dt>
    <dd>{serverText(account.imap)}</dd>
    <dt>SMTP</dt>
    <dd>{serverText(account.smtp)}</dd>
    <dt>Tags</dt>
    <dd>{account.tags.length === 0 ? "none" : account.tags.join(", ")}</dd>
    <dt>Managed</dt>
    <dd>
      {account.managed
        ? "yes: its credential is stored until the account is deleted"
        : "no: a sign-in created it, and it is listed while its credential is stored"}
    </dd>
    <dt>Announces new mail</dt>
    <dd>{account.watched ? "yes" : "no"}</dd>
    <dt>Added</dt>
    <dd>
      <Moment at={account.createdAt} whole />
    </dd>
    <dt>Last accepted</dt>
    <dd>{account.lastSeenAt === null ? "never" : <Moment at={account.lastSeenAt} whole />}</dd>
    {account.capabilities.length > 0 && (
      <>
        <dt>IMAP capabilities</dt>
        <dd className="mono small">{account.capabilities.join(" ")}</dd>
      </>
    )}
  </dl>
);

/** How to end `needs_reauth`, by the kind of sign-in. */
const SIGN_IN_ADVICE = {
  password: "Change its password here, or let its user sign in again.",
  oauth2: "Its user has to consent again: here in the console, or by a connect link.",
  application: "Check the rights of the app at the provider, then verify the account.",
} as const;

const SignInWay = ({ auth: { kind, provider } }: Pick<Account, "auth">) => {
  const app = useOAuthApps().data?.data.find(({ id }) => id === provider);
  if (kind === "password") return "with a password";
  const name = app === undefined ? provider : app.label;
  return (
    <>
      by {name} {app !== undefined && <span className="soft mono">{provider}</span>}
      {kind === "oauth2" ? ", with the consent of its user" : ", with the credentials of the app"}
    </>
  );
};

const ENCRYPTION = { tls: "TLS", starttls: "STARTTLS", none: "not encrypted" } as const;

const serverText = (server: Account["imap"]): string =>
  server === null
    ? "the servers of this deployment"
    : `${server.host}:${server.port}, ${ENCRYPTION[server.security]}` +
      (server.username === null ? "" : `, as ${server.username}`) +
      (server.certificateSha256 === null ? "" : ", pinned certificate");
