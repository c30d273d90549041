import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { t } from "../texts/text.ts";
import { Button } from "../ui/Button.tsx";
import { errorText } from "../ui/error-text.ts";
import { Pencil, Power, RotateCw, Trash2 } from "../ui/icons/icons.tsx";
import { toast } from "../ui/toast.ts";
import { type Account, refetchAccounts, connectPath } from "./records/accounts.ts";
import { adminApi } from "./records/admin-key.ts";
import { ChangeAccount } from "./ChangeAccount.tsx";
import { DeleteAccount } from "./DeleteAccount.tsx";
import { ServerChecks } from "./servers/ServerChecks.tsx";

/** The actions on an account, and the results of its last verification. */
export const AccountTools = ({ account }: { readonly account: Account }) => {
  const { id, state } = account;
  const [open, setOpen] = useState<"change" | "delete" | null>(null);
  const close = () => setOpen(null);
  const isPaused = state === "paused";
  const verify = useMutation({
    mutationFn: () => adminApi("POST /api/accounts/:id/verify", { params: { id } }),
    onSettled: refetchAccounts,
  });
  const pause = useMutation({
    mutationFn: () => adminApi("PATCH /api/accounts/:id", { params: { id }, payload: { paused: !isPaused } }),
    onSuccess: () => toast(t(isPaused ? "Account resumed." : "Account paused.")),
    onError: (error) => toast(errorText(error)),
    onSettled: refetchAccounts,
  });
  const checks = verify.data?.data.checks;
  return (
    <>
      <div className="buttons account-tools">
        <Button icon={<RotateCw size={16} aria-hidden />} isPending={verify.isPending} onPress={() => verify.mutate()}>
          {t(verify.isPending ? "Verifying…" : "Verify")}
        </Button>
        <Button icon={<Power size={16} aria-hidden />} isPending={pause.isPending} onPress={() => pause.mutate()}>
          {t(isPaused ? "Resume" : "Pause")}
        </Button>
        <Button icon={<Pencil size={16} aria-hidden />} onPress={() => setOpen("change")}>
          {t("Change")}
        </Button>
        <Link href={connectPath(account)} className="button">
          {t("Connect link")}
        </Link>
        <Button look="danger" icon={<Trash2 size={16} aria-hidden />} onPress={() => setOpen("delete")}>
          {t("Delete")}
        </Button>
      </div>
      <div aria-live="polite">
        {verify.isPending && <p className="soft">{t("Signing in at both servers…")}</p>}
        {verify.isError && <p className="notice bad">{errorText(verify.error)}</p>}
        {checks !== undefined && !verify.isPending && <ServerChecks checks={checks} />}
      </div>
      {open === "change" && <ChangeAccount account={account} onClose={close} />}
      {open === "delete" && <DeleteAccount account={account} onClose={close} />}
    </>
  );
};
