import { t } from "../../texts/text.ts";
import { CAUSES, faultMessage } from "./faults.ts";
import type { Checks } from "../records/accounts.ts";

/** The result of the check of each server of an account: its cause and what to do. */
export const ServerChecks = ({ checks }: { readonly checks: Checks }) => (
  <ul className="lines checks" aria-label={t("Checks")}>
    {(["imap", "smtp"] as const).map((kind) => {
      const { ok, cause, host, port } = checks[kind];
      return (
        <li key={kind} className="line">
          <div className="line-main">
            <p className="line-name">
              {kind.toUpperCase()}{" "}
              <span className="mono">
                {host}:{port}
              </span>
            </p>
            <p className="small">{cause === null ? t("The server accepted the sign-in.") : faultMessage(cause)}</p>
          </div>
          <span className={ok ? "tag good" : "tag bad"}>{ok ? t("accepted") : cause !== null && t(CAUSES[cause])}</span>
        </li>
      );
    })}
  </ul>
);
