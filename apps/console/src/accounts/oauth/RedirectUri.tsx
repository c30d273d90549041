import { t } from "../../texts/text.ts";
import { Copy } from "../../ui/Copy.tsx";

/** The redirect URI to register at providers. */
export const RedirectUri = ({ uri }: { readonly uri: string }) => (
  <div className="redirect-uri">
    <p className="soft">{t("Register this redirect URI at each provider, letter by letter:")}</p>
    <div className="secret-line">
      <code className="code" tabIndex={0} aria-label={t("Redirect URI")}>
        {uri}
      </code>
      <Copy text={uri} label={t("Copy the redirect URI")} />
    </div>
  </div>
);
