import { useEffect } from "react";
import { Link } from "wouter";
import { markText, rich, t } from "../texts/text.ts";
import { reasonText } from "../ui/error-text.ts";
import { Bones } from "../ui/Bones.tsx";
import { Failed } from "../ui/Failed.tsx";
import { Moment } from "../ui/Moment.tsx";
import { type Account, connectPath, stateTag, useAccount } from "./records/accounts.ts";
import { AccountTools } from "./AccountTools.tsx";
import { useOAuthApps } from "./oauth/oauth-apps.ts";
import { ProtocolLog } from "./ProtocolLog.tsx";
import { ENCRYPTION } from "./servers/server-draft.ts";

/** An account with its state, its servers and the actions on it. */
export const AccountPage = ({ params }: { readonly params: { readonly id: string } }) => {
  const query = useAccount(params.id);
  useEffect(() => {
    document.title = `${t("Account")} · Postern`;
  }, []);
  if (query.isPending) return <Bones rows={5} label={t("Loading the account")} />;
  if (query.data === undefined) {
    return (
      <Failed error={query.error} onRetry={query.refetch}>
        <Link href="/accounts" className="button">
          {t("Go to the accounts")}
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
              <strong>{reasonText(account.reason)}</strong>
            </p>
            <p>
              {rich("Since <time></time>.", { time: () => <Moment at={account.reason!.since} whole /> })}{" "}
              {account.state === "needs_reauth"
                ? t(SIGN_IN_ADVICE[account.auth.kind])
                : t("The service keeps trying. Verify the account after you have removed the cause.")}
            </p>
            {account.state === "needs_reauth" && account.auth.kind === "oauth2" && (
              <Link href={connectPath(account)} className="button">
                {t("Make a connect link")}
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
    <dt>{t("Id")}</dt>
    <dd className="mono">{account.id}</dd>
    <dt>{t("Signs in")}</dt>
    <dd>
      <SignInWay auth={account.auth} />
    </dd>
    <dt>IMAP</dt>
    <dd>{serverText(account.imap)}</dd>
    <dt>SMTP</dt>
    <dd>{serverText(account.smtp)}</dd>
    <dt>{t("Tags")}</dt>
    <dd>{account.tags.length === 0 ? t("none [tags]") : account.tags.join(", ")}</dd>
    <dt>{t("Managed")}</dt>
    <dd>
      {t(
        account.managed
          ? "yes: its credential is stored until the account is deleted"
          : "no: a sign-in created it, and it is listed while its credential is stored",
      )}
    </dd>
    <dt>{t("Announces new mail")}</dt>
    <dd>{t(account.watched ? "yes" : "no")}</dd>
    <dt>{t("Follows")}</dt>
    <dd>{followedText(account.following)}</dd>
    <dt>{t("Added")}</dt>
    <dd>
      <Moment at={account.createdAt} whole />
    </dd>
    <dt>{t("Last accepted")}</dt>
    <dd>{account.lastSeenAt === null ? t("never") : <Moment at={account.lastSeenAt} whole />}</dd>
    {account.capabilities.length > 0 && (
      <>
        <dt>{t("IMAP capabilities")}</dt>
        <dd className="mono small">{account.capabilities.join(" ")}</dd>
      </>
    )}
  </dl>
);

const followedText = (following: Account["following"]): string => {
  if (following === null) return t("Inbox");
  const { folders, done, messages } = following;
  return done === folders
    ? t("all folders; {messages, plural, one {# message} other {# messages}} recorded", { messages })
    : t("all folders; {done, number} of {folders, number} folders recorded so far", { done, folders });
};

/** The advice for ending `needs_reauth`, by the kind of sign-in. */
const SIGN_IN_ADVICE = {
  password: markText("Change its password here, or let its user sign in again."),
  oauth2: markText("Its user has to consent again: here in the console, or by a connect link."),
  application: markText("Check the rights of the app at the provider, then verify the account."),
} as const;

const SignInWay = ({ auth: { kind, provider } }: Pick<Account, "auth">) => {
  const app = useOAuthApps().data?.data.find(({ id }) => id === provider);
  if (kind === "password") return t("with a password");
  return rich(
    kind === "oauth2"
      ? "by <app></app>, with the consent of its user"
      : "by <app></app>, with the credentials of the app",
    {
      app: () =>
        app === undefined ? (
          provider
        ) : (
          <>
            {app.label} <span className="soft mono">{provider}</span>
          </>
        ),
    },
  );
};

const serverText = (server: Account["imap"]): string =>
  server === null
    ? t("the servers of this deployment")
    : t(
        "{server}, {encryption}{user, select, none {} other {, as {user}}}{pinned, select, yes {, pinned certificate} other {}}",
        {
          server: `${server.host}:${server.port}`,
          encryption: t(ENCRYPTION[server.security]),
          user: server.username ?? "none",
          pinned: server.certificateSha256 === null ? "no" : "yes",
        },
      );
