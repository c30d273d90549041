import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { queries } from "../api/client.ts";
import { Button } from "../ui/Button.tsx";
import { errorText } from "../ui/error-text.ts";
import { Field } from "../ui/Field.tsx";
import { FormWithFaults } from "../ui/FormWithFaults.tsx";
import { Popup } from "../ui/Popup.tsx";
import { toast } from "../ui/toast.ts";
import type { Account } from "./accounts.ts";
import { adminApi } from "./admin-key.ts";

/** Deletes an account after its address was typed. */
export const DeleteAccount = ({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) => {
  const { id, email } = account;
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState("");
  const [wasTried, setTried] = useState(false);
  const remove = useMutation({
    mutationFn: async () => {
      await queries.cancelQueries({ queryKey: ["admin", "account", id] });
      return adminApi("DELETE /api/accounts/:id", { params: { id } });
    },
    onSuccess: () => {
      toast(`Account ${email} deleted.`);
      navigate("/accounts", { replace: true });
      queries.removeQueries({ queryKey: ["admin", "account", id] });
      void queries.invalidateQueries({ queryKey: ["admin", "accounts"] });
    },
  });
  const isSame = typed.trim().toLowerCase() === email.toLowerCase();
  const submit = (): boolean => {
    setTried(true);
    if (isSame) remove.mutate();
    return isSame;
  };
  return (
    <Popup title="Delete this account?" isOpen onClose={onClose} role="alertdialog">
      <p>
        Its sessions and streams end, its queued mail is cancelled, and everything that the service stores of{" "}
        <strong>{email}</strong> is erased. Its mail stays on the mail server. This cannot be undone.
      </p>
      <FormWithFaults className="form" onSubmit={submit} error={remove.error}>
        <Field
          label={`Type ${email} to confirm`}
          value={typed}
          onChange={setTyped}
          isRequired
          autoFocus
          inputProps={{ spellCheck: false, autoComplete: "off", autoCapitalize: "none" }}
          fault={wasTried && !isSame ? "This is not the address of the account." : undefined}
        />
        {remove.isError && (
          <p className="notice bad" role="alert">
            {errorText(remove.error)}
          </p>
        )}
        <div className="buttons end">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="danger" isPending={remove.isPending}>
            Delete account
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
