import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import { t } from "../texts/text.ts";
import { faultOf } from "../ui/error-text.ts";
import { queries } from "../api/client.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorAlert } from "../ui/ErrorAlert.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { toast } from "../ui/toast.ts";
import { refetchAccounts, type NewAccount } from "./records/accounts.ts";
import { adminApi } from "./records/admin-key.ts";
import { FoundServersForm } from "./servers/FoundServersForm.tsx";

/** Adds an account (spec 10.3): its address, then the servers that are discovered, then its password. */
export const AddAccount = () => {
  const [, navigate] = useLocation();
  const [email, setEmail] = useState("");
  const [wasTried, setTried] = useState(false);
  const discover = useMutation({
    mutationFn: (address: string) => adminApi("POST /api/accounts/discover", { payload: { email: address } }),
  });
  const add = useMutation({
    mutationFn: (payload: NewAccount) => adminApi("POST /api/accounts", { payload }),
    onSuccess: ({ data }) => {
      queries.setQueryData(["admin", "account", data.id], data);
      void refetchAccounts();
      toast(t("Account added: both servers accepted the sign-in."));
      navigate(`/accounts/${data.id}`);
    },
    // The request is not cached, because it contains the password.
    gcTime: 0,
  });
  const fault =
    wasTried && email.trim() === "" ? t("Enter the address of the mailbox.") : faultOf(discover.error, "email");
  const submit = (): boolean => {
    setTried(true);
    const isWhole = email.trim() !== "";
    if (isWhole) discover.mutate(email.trim());
    return isWhole;
  };
  useEffect(() => {
    document.title = `${t("Add account")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Add account")}</h1>
      </header>
      <FormWithFaults className="form address-form" onSubmit={submit} error={discover.error}>
        <Field
          label={t("E-mail")}
          type="email"
          autoComplete="off"
          value={email}
          onChange={(next) => {
            setEmail(next);
            discover.reset();
            add.reset();
          }}
          isRequired
          autoFocus
          hint={t(
            "Its mail servers are looked up by the part of the address after the @. No password is sent for this.",
          )}
          fault={fault}
        />
        {discover.isError && fault === undefined && <ErrorAlert error={discover.error} />}
        {discover.data === undefined && (
          <div className="buttons">
            <Button type="submit" look="primary" isPending={discover.isPending}>
              {t(discover.isPending ? "Looking up…" : "Find the servers")}
            </Button>
            <Link href="/accounts" className="button">
              {t("Cancel")}
            </Link>
          </div>
        )}
      </FormWithFaults>
      {discover.data !== undefined && (
        <FoundServersForm
          email={discover.variables}
          candidates={discover.data.data.candidates}
          error={add.error}
          isPending={add.isPending}
          onSave={(account) => add.mutate(account)}
        />
      )}
    </>
  );
};
