import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { rich, t } from "../texts/text.ts";
import { queries } from "../api/client.ts";
import { toast } from "../ui/toast.ts";
import { TypedQuestion } from "../ui/popups/TypedQuestion.tsx";
import type { Account } from "./records/accounts.ts";
import { adminApi } from "./records/admin-key.ts";

/** Deletes an account after the operator typed its address. */
export const DeleteAccount = ({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) => {
  const { id, email } = account;
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: async () => {
      await queries.cancelQueries({ queryKey: ["admin", "account", id] });
      return adminApi("DELETE /api/accounts/:id", { params: { id } });
    },
    onSuccess: () => {
      toast(t("Account {email} deleted.", { email }));
      navigate("/accounts", { replace: true });
      queries.removeQueries({ queryKey: ["admin", "account", id] });
      void queries.invalidateQueries({ queryKey: ["admin", "accounts"] });
    },
  });
  return (
    <TypedQuestion
      title={t("Delete this account?")}
      address={email}
      yes={t("Delete account")}
      action={remove}
      onClose={onClose}
    >
      <p>
        {rich(
          "Its sessions and streams end, its queued mail is cancelled, and everything that the service stores of <b>{email}</b> is erased. Its mail stays on the mail server. This cannot be undone.",
          { email, b: (chunks) => <strong>{chunks}</strong> },
        )}
      </p>
    </TypedQuestion>
  );
};
