import { useEffect } from "react";
import { Link } from "wouter";
import { t } from "../../texts/text.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Plus } from "../../ui/icons/icons.tsx";
import { KeyLines } from "./KeyLines.tsx";
import { useServiceKeys } from "./service-keys.ts";

/** The service keys, newest first (spec 10.2). */
export const KeyList = () => {
  const keys = useServiceKeys();
  useEffect(() => {
    document.title = `${t("Service keys")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Service keys")}</h1>
        <Link href="/accounts/keys/new" className="button primary">
          <Plus size={17} aria-hidden />
          {t("Create key")}
        </Link>
      </header>
      <p className="intro">
        {t(
          "The backend of an application sends its key with every request. The key decides which operations and which accounts the application may use.",
        )}
      </p>
      {keys.isPending ? (
        <Bones rows={3} label={t("Loading the keys")} />
      ) : keys.isError ? (
        <Failed error={keys.error} onRetry={keys.refetch} />
      ) : keys.data.length === 0 ? (
        <Empty title={t("No keys yet")}>
          <p>{t("Create a key for each application, with the scopes that it needs.")}</p>
        </Empty>
      ) : (
        <KeyLines keys={keys.data} />
      )}
    </>
  );
};
