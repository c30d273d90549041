import { ApiProblem } from "@postern/client/browser";
import { useState } from "react";
import { t } from "../../texts/text.ts";
import { faultText } from "../../ui/error-text.ts";
import { Check } from "../../ui/forms/Check.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { FormButtons } from "../../ui/forms/FormButtons.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { Radios } from "../../ui/forms/Radios.tsx";
import { ServerFields } from "../servers/ServerFields.tsx";
import { type AppDraft, appOf, EMPTY, isWholeDraft, missingOf, withMode, withProvider } from "./app-draft.ts";
import { ClientFields } from "./ClientFields.tsx";
import type { NewOAuthApp } from "./oauth-apps.ts";

export interface OAuthAppFormProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSave: (app: NewOAuthApp) => void;
}

const providers = () => [
  { id: "google", name: "Google", hint: t("Gmail and Google Workspace") },
  { id: "microsoft", name: "Microsoft", hint: t("Microsoft 365 and Outlook.com") },
  { id: "oidc", name: t("Any OpenID provider"), hint: t("Keycloak, Authentik, Zitadel and others") },
];
const modes = () => [
  { id: "delegated", name: t("Each user consents"), hint: t("Users see “Continue with …” when they sign in.") },
  {
    id: "application",
    name: t("The app opens every mailbox of your organisation"),
    hint: t("With its own credentials, and without the users: a service account, or application permissions."),
  },
  { id: "hook", name: t("A token service of yours issues the tokens") },
];

/** The form of an OAuth2 app. */
export const OAuthAppForm = ({ error, isPending, onSave }: OAuthAppFormProps) => {
  const [draft, setDraft] = useState(EMPTY);
  const [wasTried, setTried] = useState(false);
  const set = (part: Partial<AppDraft>) => setDraft({ ...draft, ...part });
  const missing = wasTried ? missingOf(draft) : {};
  const fault = (field: string) =>
    missing[field] ?? (error instanceof ApiProblem ? faultWithin(error, field) : undefined);
  const isElsewhere =
    error !== null && !(error instanceof ApiProblem && error.errors.some(({ field }) => SHOWN.test(field)));
  const submit = (): boolean => {
    setTried(true);
    const isComplete = isWholeDraft(draft);
    if (isComplete) onSave(appOf(draft));
    return isComplete;
  };
  return (
    <FormWithFaults className="form" onSubmit={submit} error={error}>
      <Radios
        label={t("Provider")}
        value={draft.provider}
        onChange={(provider) => setDraft(withProvider(draft, provider as AppDraft["provider"]))}
        options={providers()}
      />
      <Radios
        label={t("Who opens the mailboxes")}
        value={draft.mode}
        onChange={(mode) => setDraft(withMode(draft, mode as AppDraft["mode"]))}
        options={modes()}
      />
      <Field
        label={t("Id")}
        value={draft.id}
        onChange={(id) => set({ id })}
        isRequired
        inputProps={{ spellCheck: false, autoComplete: "off", autoCapitalize: "none" }}
        hint={t("Identifies the app in requests and in the address of its sign-in page. Letters, digits, - and _.")}
        fault={fault("id")}
      />
      <Field
        label={t("Name for users")}
        value={draft.label}
        onChange={(label) => set({ label })}
        hint={t("Optional: the name after “Continue with”. Empty: Google, Microsoft or the id.")}
        fault={fault("label")}
      />
      <ClientFields draft={draft} set={set} fault={fault} />
      <Field
        label={t("Domains")}
        rows={2}
        value={draft.domains}
        onChange={(domains) => set({ domains })}
        isRequired={draft.mode !== "delegated"}
        hint={
          draft.mode === "delegated"
            ? t("One a line: only addresses of these domains use the app. Empty: all.")
            : t("One a line: the app opens the mailboxes of these domains without their users.")
        }
        fault={fault("domains")}
      />
      <Check isSelected={draft.hasServers} onChange={(hasServers) => set({ hasServers })}>
        {t("Name the mail servers. By default they are the provider’s, or found by the address")}
      </Check>
      {draft.hasServers && (
        <ServerFields
          servers={draft.servers}
          onChange={(servers) => set({ servers })}
          wasTried={wasTried}
          error={error}
        />
      )}
      {isElsewhere && <ErrorAlert error={error} />}
      <FormButtons submit={t("Store app")} isPending={isPending} cancel="/accounts/oauth" />
    </FormWithFaults>
  );
};

/** The fields that are shown, with their contents. */
const SHOWN =
  /^(?:(?:id|label|issuer|tenant|tokenUrl|clientId|clientSecret|privateKey|scopes|domains)(?:[.[]|$)|(?:imap|smtp)\.)/;

/** Returns the fault of a field, or of an entry of it (`domains.0`), as a sentence. */
const faultWithin = (problem: ApiProblem, field: string): string | undefined => {
  const fault = problem.errors.find((one) => one.field.split(/[.[]/)[0] === field);
  return fault === undefined ? undefined : t("This {fault}.", { fault: faultText(fault.message) });
};
