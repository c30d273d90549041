import { markText, t, type Text } from "../../texts/text.ts";
import { reasonText } from "../../ui/error-text.ts";
import type { Checks } from "../records/accounts.ts";

const CAUSES: Readonly<Record<NonNullable<Checks["imap"]["cause"]>, Text>> = {
  not_found: markText("not found [connection]"),
  address_denied: markText("address denied"),
  refused: markText("refused [connection]"),
  timeout: markText("timeout [connection]"),
  tls_failed: markText("tls failed"),
  certificate_untrusted: markText("certificate untrusted"),
  starttls_missing: markText("starttls missing"),
  not_a_mail_server: markText("not a mail server"),
  too_many_connections: markText("too many connections"),
  unavailable: markText("unavailable [connection]"),
  auth_refused: markText("auth refused"),
  app_password_required: markText("app password required"),
  oauth_required: markText("oauth required"),
  basic_auth_disabled: markText("basic auth disabled"),
  imap_disabled: markText("imap disabled"),
  server_flood: markText("server flood"),
  protocol: markText("protocol [connection]"),
};

/** The result of the check of each server of an account: its cause, and advice. */
export const ServerChecks = ({ checks }: { readonly checks: Checks }) => (
  <ul className="lines checks" aria-label={t("Checks")}>
    {(["imap", "smtp"] as const).map((kind) => {
      const { ok, cause, message, host, port } = checks[kind];
      return (
        <li key={kind} className="line">
          <div className="line-main">
            <p className="line-name">
              {kind.toUpperCase()}{" "}
              <span className="mono">
                {host}:{port}
              </span>
            </p>
            <p className="small">
              {cause === null ? t("The server accepted the sign-in.") : reasonText({ code: cause, message })}
            </p>
          </div>
          <span className={ok ? "tag good" : "tag bad"}>
            {ok ? t("accepted [connection]") : cause !== null && t(CAUSES[cause])}
          </span>
        </li>
      );
    })}
  </ul>
);
