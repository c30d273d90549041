import type { ApiRequest } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { t } from "../texts/text.ts";
import { faultOf } from "../ui/error-text.ts";
import { PREFIX } from "../api/prefix.ts";
import { Choice } from "../ui/forms/Choice.tsx";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { FormButtons } from "../ui/forms/FormButtons.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { SecretPage } from "../ui/SecretPage.tsx";
import { adminApi } from "./records/admin-key.ts";
import { useOAuthApps } from "./oauth/oauth-apps.ts";

type NewConnection = ApiRequest<"POST /api/accounts/connect">["payload"];

/** The choice of an app by the address; no app has this id. */
const BY_ADDRESS = "by-address";

/** Creates a link with which a user connects a mailbox or consents again (spec 10.3), and shows it once. */
export const ConnectLink = () => {
  const [asked] = useSearchParams();
  const [email, setEmail] = useState(asked.get("email") ?? "");
  const [provider, setProvider] = useState(asked.get("provider") ?? BY_ADDRESS);
  const apps = (useOAuthApps().data?.data ?? []).filter(({ mode }) => mode === "delegated");
  const [redirectUrl, setRedirectUrl] = useState(`${location.origin}${PREFIX}/`);
  const make = useMutation({
    mutationFn: (payload: NewConnection) => adminApi("POST /api/accounts/connect", { payload }),
    // The answer is not cached, because it contains the link.
    gcTime: 0,
  });
  const fault = (field: string) => faultOf(make.error, field);
  const isElsewhere = make.isError && fault("email") === undefined && fault("redirectUrl") === undefined;
  const submit = (): boolean => {
    make.mutate({
      redirectUrl: redirectUrl.trim(),
      ...(email.trim() === "" ? {} : { email: email.trim() }),
      ...(apps.some(({ id }) => id === provider) ? { provider } : {}),
    });
    return true;
  };
  useEffect(() => {
    document.title = `${t("Connect link")} · Postern`;
  }, []);
  if (make.data !== undefined) {
    return (
      <SecretPage
        title={t("Connect link")}
        secret={make.data.data.url}
        name={t("Connect link")}
        advice={t("Copy the connect link now. It is not shown again; if you lose it, make another.")}
        copyLabel={t("Copy the connect link")}
        next="/accounts"
        nextLabel={t("Copied, show the accounts")}
      >
        {t("Send this link to the user. It works once, within ten minutes, in the browser that opens it.")}
      </SecretPage>
    );
  }
  return (
    <>
      <header className="page-head">
        <h1>{t("Connect link")}</h1>
      </header>
      <p className="soft">
        {t(
          "With a connect link, a user signs in to the mailbox or consents at its provider. You do not get the password.",
        )}
      </p>
      <FormWithFaults className="form" onSubmit={submit} error={make.error}>
        <Field
          label={t("E-mail")}
          type="email"
          autoComplete="off"
          value={email}
          onChange={setEmail}
          autoFocus
          hint={t("Optional. With an address, the link connects only this mailbox.")}
          fault={fault("email")}
        />
        {apps.length > 0 && (
          <Choice
            label={t("Provider")}
            value={apps.some(({ id }) => id === provider) ? provider : BY_ADDRESS}
            onChange={setProvider}
            options={[
              { id: BY_ADDRESS, name: t("Found by the address") },
              ...apps.map(({ id, label }) => ({ id, name: label })),
            ]}
          />
        )}
        <Field
          label={t("Return address")}
          type="url"
          value={redirectUrl}
          onChange={setRedirectUrl}
          isRequired
          hint={t("The page that the browser opens afterwards: https, or http to this machine.")}
          fault={fault("redirectUrl")}
        />
        {isElsewhere && <ErrorAlert error={make.error} />}
        <FormButtons submit={t("Make link")} isPending={make.isPending} cancel="/accounts" />
      </FormWithFaults>
    </>
  );
};
