import { useSearchParams } from "wouter";
import { t } from "../texts/text.ts";

/** Shows the outcome of a connection whose link returned to the console (spec 11.3). */
export const ConnectOutcome = () => {
  const [arrived] = useSearchParams();
  const error = arrived.get("error");
  if (error === null && !arrived.has("account")) return null;
  return error === null ? (
    <p className="notice" role="status">
      {t("Your mailbox is connected. Close this page, or sign in to read your mail.")}
    </p>
  ) : (
    <p className="notice bad" role="status">
      {t(
        error === "access_denied"
          ? "You did not give your consent, so your mailbox is not connected. To try again, open the link again, or ask the operator of this service for a new one."
          : "Your mailbox is not connected. To try again, open the link again, or ask the operator of this service for a new one.",
      )}
    </p>
  );
};
