import { useEffect } from "react";
import { t } from "../texts/text.ts";
import { queries } from "../api/client.ts";
import { KeyRound } from "../ui/icons/icons.tsx";
import { useOwnAccount } from "./own-account.ts";
import { reasonText } from "../ui/error-text.ts";
import { consentUrl } from "./providers.ts";

/**
 * Shows that the mail server refused the account, with a link for another consent (spec 11.3). For passwords, the
 * sign-in page does this.
 */
export const ReconnectNotice = () => {
  const account = useOwnAccount().data;
  const isRefused = account?.state === "needs_reauth";
  const needsPassword = isRefused && account.auth.kind === "password";
  useEffect(() => {
    if (needsPassword) queries.setQueryData(["session"], null);
  }, [needsPassword]);
  if (!isRefused || needsPassword) return null;
  const { email, reason, auth } = account;
  return (
    <div className="shell-notice reconnect" role="alert">
      <KeyRound size={16} aria-hidden />
      <p>
        {t(
          auth.kind === "application"
            ? "{reason} Until then no mail is read, and queued messages wait. Tell the operator of this service."
            : "{reason} Until then no mail is read, and queued messages wait.",
          { reason: reason === null ? "" : reasonText(reason) },
        )}
      </p>
      {auth.kind === "oauth2" && auth.provider !== null && (
        <a href={consentUrl(auth.provider, email)} className="button primary">
          {t("Connect again")}
        </a>
      )}
    </div>
  );
};
