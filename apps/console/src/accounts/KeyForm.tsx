import { ApiProblem } from "@postern/client/browser";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { t } from "../texts/text.ts";
import { Wordmark } from "../ui/icons/Wordmark.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { enterKey } from "./records/admin-key.ts";
import "../session/sign-in.css";

/** Asks for the admin key (spec 10.1). */
export const KeyForm = () => {
  const [key, setKey] = useState("");
  const [wasTried, setTried] = useState(false);
  const enter = useMutation({ mutationFn: () => enterKey(key.trim()), gcTime: 0 });
  const submit = (): boolean => {
    setTried(true);
    const isWhole = key.trim() !== "";
    if (isWhole) enter.mutate();
    return isWhole;
  };
  useEffect(() => {
    document.title = `${t("Accounts")} · Postern`;
  }, []);
  return (
    <main className="threshold">
      <div className="door">
        <Wordmark />
        <h1>{t("Manage accounts")}</h1>
        <FormWithFaults onSubmit={submit} error={enter.error}>
          <Field
            label={t("Admin key")}
            type="password"
            autoComplete="off"
            value={key}
            onChange={(next) => {
              setKey(next);
              enter.reset();
            }}
            isRequired
            autoFocus
            hint={t("The value of ADMIN_KEY. It stays in the memory of this tab until you reload or close it.")}
            fault={wasTried && key.trim() === "" ? t("Enter the admin key.") : faultOf(enter.error)}
          />
          {enter.isError && faultOf(enter.error) === undefined && <ErrorAlert error={enter.error} />}
          <Button type="submit" look="primary" isPending={enter.isPending}>
            {t(enter.isPending ? "Checking…" : "Continue")}
          </Button>
        </FormWithFaults>
        <Link href="/" className="door-link">
          {t("Go to the mailbox")}
        </Link>
      </div>
    </main>
  );
};

const faultOf = (error: unknown): string | undefined => {
  if (!(error instanceof ApiProblem)) return undefined;
  if (error.status === 401) return t("The service does not accept this key. Compare it with ADMIN_KEY of the service.");
  if (error.status === 403) return t("This is a service key. Only the admin key manages accounts here.");
  return undefined;
};
