import { Button } from "../../ui/Button.tsx";
import type { OAuthApp } from "./oauth-apps.ts";

const PROVIDERS = { google: "Google", microsoft: "Microsoft", oidc: "OpenID" } as const;
const MODES = {
  delegated: "Each user consents",
  application: "The app opens mailboxes with its own credentials",
  hook: "Your token service issues the tokens",
} as const;
const AUTHENTICATION = { none: "public client", client_secret: "client secret", private_key: "private key" } as const;

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
          {MODES[mode]}.{tenant !== null && ` Tenant ${tenant}.`}
          {where !== null && ` ${where}.`}
          {domains.length > 0 && ` Only ${domains.join(", ")}.`}
        </p>
        {mode !== "hook" && (
          <p className="soft small">
            Client <span className="mono">{clientId}</span>, {AUTHENTICATION[authentication]}
          </p>
        )}
      </div>
      {fixed ? (
        <span className="tag">from OAUTH_APPS</span>
      ) : (
        <Button look="danger" isPending={isPending} onPress={onRemove} aria-label={`Delete app ${id}`}>
          Delete
        </Button>
      )}
    </li>
  );
};
