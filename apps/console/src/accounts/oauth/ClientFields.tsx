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
const CLOUDS = [
  { id: GLOBAL, name: "Global" },
  { id: "https://login.microsoftonline.us", name: "US Government" },
  { id: "https://login.partner.microsoftonline.cn", name: "China (21Vianet)" },
];

const WAYS = [
  { id: "client_secret", name: "Client secret" },
  { id: "private_key", name: "Private key", hint: "Of a certificate, or of a Google service account." },
];
const PUBLIC = { id: "none", name: "None", hint: "A public client." };

/** The fields of an app's client at its provider, or of the token service. */
export const ClientFields = ({ draft, set, fault }: ClientFieldsProps) => {
  const { provider, mode, authentication } = draft;
  if (mode === "hook") {
    return (
      <Field
        label="Token service"
        type="url"
        value={draft.tokenUrl}
        onChange={(tokenUrl) => set({ tokenUrl })}
        isRequired
        hint="Its https address. It is asked for the token of each mailbox."
        fault={fault("tokenUrl")}
      />
    );
  }
  return (
    <>
      {provider === "microsoft" && (
        <>
          <Choice
            label="Cloud"
            value={draft.cloud === "" ? GLOBAL : draft.cloud}
            onChange={(cloud) => set({ cloud: cloud === GLOBAL ? "" : cloud })}
            options={CLOUDS}
          />
          <Field
            label="Tenant"
            value={draft.tenant}
            onChange={(tenant) => set({ tenant })}
            inputProps={PLAIN}
            hint="The id or a domain of your directory. Empty: any organisation, and private accounts."
            fault={fault("tenant")}
          />
        </>
      )}
      {provider === "oidc" && (
        <Field
          label="Issuer"
          type="url"
          value={draft.issuer}
          onChange={(issuer) => set({ issuer })}
          isRequired
          inputProps={PLAIN}
          hint="Its https address, below which /.well-known/openid-configuration is."
          fault={fault("issuer")}
        />
      )}
      <Field
        label="Client id"
        value={draft.clientId}
        onChange={(clientId) => set({ clientId })}
        isRequired
        inputProps={PLAIN}
        fault={fault("clientId")}
      />
      <Radios
        label="The app authenticates by"
        value={authentication}
        onChange={(way) => set({ authentication: way as AppDraft["authentication"] })}
        options={mode === "delegated" ? [...WAYS, PUBLIC] : WAYS}
      />
      {authentication === "client_secret" && (
        <Field
          label="Client secret"
          type="password"
          autoComplete="off"
          value={draft.clientSecret}
          onChange={(clientSecret) => set({ clientSecret })}
          isRequired
          hint={
            provider === "microsoft"
              ? "The value of the secret, not its id. It is stored encrypted and not shown again."
              : "It is stored encrypted and not shown again."
          }
          fault={fault("clientSecret")}
        />
      )}
      {authentication === "private_key" && (
        <Field
          label="Key"
          rows={5}
          value={draft.privateKey}
          onChange={(privateKey) => set({ privateKey })}
          isRequired
          hint="In PEM, at Microsoft with the certificate after it; or the key file (JSON) of a Google service account."
          fault={fault("privateKey")}
        />
      )}
      <Field
        label="Scopes"
        rows={2}
        value={draft.scopes}
        onChange={(scopes) => set({ scopes })}
        hint="Separate scopes with spaces. Empty: those that the provider needs for IMAP and SMTP."
        fault={fault("scopes")}
      />
    </>
  );
};
