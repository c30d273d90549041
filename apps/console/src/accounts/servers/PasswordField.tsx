import { Link } from "wouter";
import { rich, t } from "../../texts/text.ts";
import { Field } from "../../ui/forms/Field.tsx";
import type { Candidate } from "../records/accounts.ts";

export interface PasswordFieldProps {
  /** The address of the account. */
  readonly email: string;
  /** The chosen servers; undefined if the operator types them. */
  readonly candidate: Candidate | undefined;
  readonly value: string;
  readonly onChange: (password: string) => void;
  readonly fault: string | undefined;
}

/** The password of a new account, with the kind of password that its servers accept and a link to the page that creates one. */
export const PasswordField = ({ email, candidate, value, onChange, fault }: PasswordFieldProps) => {
  const kinds = candidate?.signIn ?? [];
  const appPassword = kinds.find(({ kind }) => kind === "app_password");
  const takesNone = kinds.length > 0 && kinds.every(({ kind }) => kind === "oauth2");
  const page = appPassword?.helpPage ?? null;
  return (
    <>
      {takesNone && (
        <p className="notice warn">
          <span>
            {rich(
              "This provider takes no passwords, only OAuth2: add an app for it, and send its user a <link>connect link</link>.",
              { link: (chunks) => <Link href={`/accounts/connect?email=${encodeURIComponent(email)}`}>{chunks}</Link> },
            )}
          </span>
        </p>
      )}
      <Field
        label={t(appPassword === undefined ? "Password" : "App password")}
        type="password"
        autoComplete="off"
        value={value}
        onChange={onChange}
        isRequired
        autoFocus
        hint={t("It is verified at both servers, then stored until the account is deleted.")}
        fault={fault}
      />
      {page?.startsWith("https://") === true && (
        <p className="small">
          {t("The provider takes an app password.")}{" "}
          <a href={page} target="_blank" rel="noreferrer">
            {t("How to create one")}
          </a>
        </p>
      )}
    </>
  );
};
