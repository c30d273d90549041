import { markText, rich, t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import type { OAuthApp } from "./oauth-apps.ts";

const PROVIDERS = { google: "Google", microsoft: "Microsoft", oidc: "OpenID" } as const;
const MODES = {
  delegated: markText("Each user consents."),
  application: markText("The app opens mailboxes with its own credentials."),
  hook: markText("Your token service issues the tokens."),
} as const;
const CLIENTS = {
  none: markText("Client <id></id>, public client"),
  client_secret: markText("Client <id></id>, client secret"),
  private_key: markText("Client <id></id>, private key"),
} as const;

/** An OAuth2 app in the list, with the button that deletes it. */
export const OAuthAppLine = ({
  app,
  isPending,
  onRemove,
}: {
  readonly app: OAuthApp;
  readonly isPending: boolean;
  readonly onRemove: () => void;
}) => {
  const { id, label, provider, mode, clientId, authentication, tenant, issuer, tokenUrl, domains, fixed } = app;
  const where = tokenUrl ?? issuer ?? null;
  return (
    <li className="line">
      <div className="line-main">
        <p className="line-name">
          {label} <span className="soft mono">{id}</span> <span className="tag">{PROVIDERS[provider]}</span>
        </p>
        <p className="soft small">
          {t(MODES[mode])} {tenant !== null && t("Tenant {tenant}.", { tenant })} {where !== null && `${where}.`}{" "}
          {domains.length > 0 && t("Only {domains}.", { domains: domains.join(", ") })}
        </p>
        {mode !== "hook" && (
          <p className="soft small">
            {rich(CLIENTS[authentication], { id: () => <span className="mono">{clientId}</span> })}
          </p>
        )}
      </div>
      {fixed ? (
        <span className="tag">{t("from OAUTH_APPS")}</span>
      ) : (
        <Button look="danger" isPending={isPending} onPress={onRemove} aria-label={t("Delete app {id}", { id })}>
          {t("Delete")}
        </Button>
      )}
    </li>
  );
};
