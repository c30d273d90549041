import { ApiProblem } from "@postern/client/browser";
import { useState } from "react";
import { CheckboxGroup, FieldError, Label } from "react-aria-components";
import { markText, t } from "../../texts/text.ts";
import { faultText } from "../../ui/error-text.ts";
import { Check } from "../../ui/forms/Check.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { ErrorAlert } from "../../ui/ErrorAlert.tsx";
import { FormButtons } from "../../ui/forms/FormButtons.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { entriesOf } from "../records/entries.ts";
import { type NewServiceKey, type Scope, SCOPES } from "./service-keys.ts";

const DAY_MILLIS = 86_400_000;
const LIFETIMES = [
  { id: "never", name: markText("Never") },
  { id: "30", name: markText("In 30 days") },
  { id: "90", name: markText("In 90 days") },
  { id: "365", name: markText("In a year") },
];

export interface NewKeyFormProps {
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSave: (key: NewServiceKey) => void;
}

/** The form of a new service key. */
export const NewKeyForm = ({ error, isPending, onSave }: NewKeyFormProps) => {
  const [name, setName] = useState("");
  const [application, setApplication] = useState("");
  const [scopes, setScopes] = useState<ReadonlyArray<Scope>>([]);
  const [accounts, setAccounts] = useState("");
  const [networks, setNetworks] = useState("");
  const [lifetime, setLifetime] = useState("never");
  const [wasTried, setTried] = useState(false);

  const refused = (field: string) => (error instanceof ApiProblem ? faultWithin(error, field) : undefined);
  const nameFault = wasTried && name.trim() === "" ? t("Enter a name.") : refused("name");
  const scopesFault = wasTried && scopes.length === 0 ? t("Choose at least one scope.") : refused("scopes");
  const isElsewhere =
    error !== null && ["name", "application", "scopes", "accounts", "networks"].every((field) => !refused(field));

  const submit = (): boolean => {
    setTried(true);
    if (name.trim() === "" || scopes.length === 0) return false;
    const [reach, from] = [entriesOf(accounts), entriesOf(networks)];
    onSave({
      name: name.trim(),
      scopes,
      ...(application.trim() === "" ? {} : { application: application.trim() }),
      ...(reach.length === 0 ? {} : { accounts: reach }),
      ...(from.length === 0 ? {} : { networks: from }),
      ...(lifetime === "never"
        ? {}
        : { expiresAt: new Date(Date.now() + Number(lifetime) * DAY_MILLIS).toISOString() }),
    });
    return true;
  };
  return (
    <FormWithFaults className="form" onSubmit={submit} error={error}>
      <Field label={t("Name")} value={name} onChange={setName} isRequired autoFocus fault={nameFault} />
      <Field
        label={t("Application")}
        value={application}
        onChange={setApplication}
        hint={t("Optional. Keys of one application share its webhook endpoints.")}
        fault={refused("application")}
      />
      <CheckboxGroup
        className="scopes"
        value={[...scopes]}
        onChange={(chosen) => setScopes(chosen as Array<Scope>)}
        isInvalid={scopesFault !== undefined}
        validationBehavior="aria"
      >
        <Label className="label">{t("Scopes")}</Label>
        {SCOPES.map(([scope, meaning]) => (
          <Check key={scope} value={scope}>
            <span>
              <span className="mono">{scope}</span> <span className="soft">{t(meaning)}</span>
            </span>
          </Check>
        ))}
        <FieldError className="fault">{scopesFault}</FieldError>
      </CheckboxGroup>
      <Field
        label={t("Accounts")}
        rows={3}
        value={accounts}
        onChange={setAccounts}
        hint={t("One a line: an id (acc_…), *@example.com for a domain, or tag:support. Empty: all accounts.")}
        fault={refused("accounts")}
      />
      <Field
        label={t("Networks")}
        rows={2}
        value={networks}
        onChange={setNetworks}
        hint={t("One a line: the address blocks the key is accepted from, such as 192.0.2.0/24. Empty: all.")}
        fault={refused("networks")}
      />
      <Choice
        label={t("Expires")}
        value={lifetime}
        onChange={setLifetime}
        options={LIFETIMES.map(({ id, name: text }) => ({ id, name: t(text) }))}
      />
      {isElsewhere && <ErrorAlert error={error} />}
      <FormButtons submit={t("Create key")} isPending={isPending} cancel="/accounts/keys" />
    </FormWithFaults>
  );
};

/** Returns the fault of a field, or of an entry of it (`accounts.0`). */
const faultWithin = (problem: ApiProblem, field: string): string | undefined => {
  const found = problem.errors.find(
    (fault) => fault.field === field || fault.field.startsWith(`${field}.`) || fault.field.startsWith(`${field}[`),
  );
  return found === undefined ? undefined : faultText(found.message);
};
