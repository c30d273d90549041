import { t } from "../../texts/text.ts";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { checksOf } from "../records/accounts.ts";
import { ServerChecks } from "./ServerChecks.tsx";

/** The reason why an account was not stored: the check of each server, or the problem. */
export const AccountFault = ({ error }: { readonly error: unknown }) => {
  const checks = checksOf(error);
  if (checks === undefined) {
    return <ErrorAlert error={error} />;
  }
  return (
    <div role="alert">
      <p className="notice bad">{t("The mail servers did not accept the account. Nothing was stored.")}</p>
      <ServerChecks checks={checks} />
    </div>
  );
};
