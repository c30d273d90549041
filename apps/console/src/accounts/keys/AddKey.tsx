import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { rich, t } from "../../texts/text.ts";
import { SecretPage } from "../../ui/SecretPage.tsx";
import { adminApi } from "../records/admin-key.ts";
import { NewKeyForm } from "./NewKeyForm.tsx";
import { refetchKeys, type NewServiceKey } from "./service-keys.ts";

/** Creates a service key (spec 10.2), then shows it once. */
export const AddKey = () => {
  const create = useMutation({
    mutationFn: (payload: NewServiceKey) => adminApi("POST /api/keys", { payload }),
    onSuccess: refetchKeys,
    // The answer is not cached, because it contains the key.
    gcTime: 0,
  });
  useEffect(() => {
    document.title = `${t("Create key")} · Postern`;
  }, []);
  if (create.data !== undefined) {
    const { name, key } = create.data.data;
    return (
      <SecretPage
        title={t("Key created")}
        // The key is null only in the answer to a repeated request with an Idempotency-Key.
        secret={key!}
        name={t("Service key")}
        advice={t("Copy the service key now. It is not shown again; if you lose it, delete it and create another.")}
        copyLabel={t("Copy the service key")}
        next="/accounts/keys"
        nextLabel={t("Copied, show the keys")}
      >
        {rich("Give this key to <b>{name}</b>. It is sent as <code>Authorization: Bearer</code> with every request.", {
          name,
          b: (chunks) => <strong>{chunks}</strong>,
          code: (chunks) => <code>{chunks}</code>,
        })}
      </SecretPage>
    );
  }
  return (
    <>
      <header className="page-head">
        <h1>{t("Create key")}</h1>
      </header>
      <NewKeyForm error={create.error} isPending={create.isPending} onSave={(key) => create.mutate(key)} />
    </>
  );
};
