import { t } from "../../texts/text.ts";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { Radios } from "../../ui/forms/Radios.tsx";
import type { AppDraft } from "./app-draft.ts";

export interface ClientFieldsProps {
  readonly draft: AppDraft;
  readonly set: (part: Partial<AppDraft>) => void;
  readonly fault: (field: string) => string | undefined;
}

const PLAIN = { spellCheck: false, autoComplete: "off", autoCapitalize: "none" } as const;

const GLOBAL = "global";
const clouds = () => [
  { id: GLOBAL, name: t("Global [cloud]") },
  { id: "https://login.microsoftonline.us", name: t("US Government") },
  { id: "https://login.partner.microsoftonline.cn", name: t("China (21Vianet)") },
];

const ways = (mode: AppDraft["mode"]) => [
  { id: "client_secret", name: t("Client secret") },
  { id: "private_key", name: t("Private key"), hint: t("Of a certificate, or of a Google service account.") },
  ...(mode === "delegated" ? [{ id: "none", name: t("None [authentication]"), hint: t("A public client.") }] : []),
];

/** The fields of an app's client at its provider, or of the token service. */
export const ClientFields = ({ draft, set, fault }: ClientFieldsProps) => {
  const { provider, mode, authentication } = draft;
  if (mode === "hook") {
    return (
      <Field
        label={t("Token service")}
        type="url"
        value={draft.tokenUrl}
        onChange={(tokenUrl) => set({ tokenUrl })}
        isRequired
        hint={t("The https address of the token service, from which Postern requests the token of each mailbox.")}
        fault={fault("tokenUrl")}
      />
    );
  }
  return (
    <>
      {provider === "microsoft" && (
        <>
          <Choice
            label={t("Cloud")}
            value={draft.cloud === "" ? GLOBAL : draft.cloud}
            onChange={(cloud) => set({ cloud: cloud === GLOBAL ? "" : cloud })}
            options={clouds()}
          />
          <Field
            label={t("Tenant")}
            value={draft.tenant}
            onChange={(tenant) => set({ tenant })}
            inputProps={PLAIN}
            hint={t("The id or a domain of your directory. Empty: any organisation, and private accounts.")}
            fault={fault("tenant")}
          />
        </>
      )}
      {provider === "oidc" && (
        <Field
          label={t("Issuer")}
          type="url"
          value={draft.issuer}
          onChange={(issuer) => set({ issuer })}
          isRequired
          inputProps={PLAIN}
          hint={t("The https address of the provider, below which /.well-known/openid-configuration is.")}
          fault={fault("issuer")}
        />
      )}
      <Field
        label={t("Client id")}
        value={draft.clientId}
        onChange={(clientId) => set({ clientId })}
        isRequired
        inputProps={PLAIN}
        fault={fault("clientId")}
      />
      <Radios
        label={t("The app authenticates by")}
        value={authentication}
        onChange={(way) => set({ authentication: way as AppDraft["authentication"] })}
        options={ways(mode)}
      />
      {authentication === "client_secret" && (
        <Field
          label={t("Client secret")}
          type="password"
          autoComplete="off"
          value={draft.clientSecret}
          onChange={(clientSecret) => set({ clientSecret })}
          isRequired
          hint={
            provider === "microsoft"
              ? t("The value of the secret, not its id. It is stored encrypted and not shown again.")
              : t("It is stored encrypted and not shown again.")
          }
          fault={fault("clientSecret")}
        />
      )}
      {authentication === "private_key" && (
        <Field
          label={t("Key")}
          rows={5}
          value={draft.privateKey}
          onChange={(privateKey) => set({ privateKey })}
          isRequired
          hint={t(
            "In PEM, at Microsoft with the certificate after it; or the key file (JSON) of a Google service account.",
          )}
          fault={fault("privateKey")}
        />
      )}
      <Field
        label={t("Scopes")}
        rows={2}
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
        hint={t("Separate scopes with spaces. Empty: those that the provider needs for IMAP and SMTP.")}
        fault={fault("scopes")}
      />
    </>
  );
};
