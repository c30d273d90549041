import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../texts/text.ts";
import { faultOf } from "../ui/error-text.ts";
import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { Field } from "../ui/forms/Field.tsx";
import { FormWithFaults } from "../ui/forms/FormWithFaults.tsx";
import { Popup } from "../ui/popups/Popup.tsx";
import { toast } from "../ui/toast.ts";
import { AccountFault } from "./servers/AccountFault.tsx";
import { type Account, type AccountChange, refetchAccounts } from "./records/accounts.ts";
import { adminApi } from "./records/admin-key.ts";
import { draftsOf, isWhole, serverOf } from "./servers/server-draft.ts";
import { ServerFields } from "./servers/ServerFields.tsx";
import { tagsFault, tagsOf } from "./records/tags.ts";

/** Changes the name, tags, password and servers of an account; the service verifies a new password or server first. */
export const ChangeAccount = ({ account, onClose }: { readonly account: Account; readonly onClose: () => void }) => {
  const { id } = account;
  const [name, setName] = useState(account.name ?? "");
  const [tags, setTags] = useState(account.tags.join(", "));
  const [password, setPassword] = useState("");
  const [changesServers, setChangesServers] = useState(false);
  const [servers, setServers] = useState(draftsOf(account));
  const [wasTried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (payload: AccountChange) => adminApi("PATCH /api/accounts/:id", { params: { id }, payload }),
    onSuccess: async () => {
      await refetchAccounts();
      toast(t("Account changed."));
      onClose();
    },
    // The request is not cached, because it contains the password.
    gcTime: 0,
  });
  const refused = (field: string) => faultOf(save.error, field);
  const submit = (): boolean => {
    setTried(true);
    const isWholeChange = isWhole(servers.imap) && isWhole(servers.smtp) && password !== "";
    if (tagsFault(tags) !== undefined || (changesServers && !isWholeChange)) return false;
    save.mutate({
      name: name.trim() === "" ? null : name.trim(),
      tags: tagsOf(tags),
      ...(password === "" ? {} : { password }),
      ...(changesServers ? { imap: serverOf(servers.imap), smtp: serverOf(servers.smtp) } : {}),
    });
    return true;
  };
  return (
    <Popup title={t("Change {address}", { address: account.email })} isOpen onClose={onClose} wide isForm>
      <FormWithFaults className="form" onSubmit={submit} error={save.error}>
        <Field
          label={t("Name")}
          value={name}
          onChange={setName}
          autoFocus
          hint={t("Optional.")}
          fault={refused("name")}
        />
        <Field
          label={t("Tags")}
          value={tags}
          onChange={setTags}
          hint={t("Separate tags with commas.")}
          fault={tagsFault(tags) ?? refused("tags")}
        />
        <Field
          label={t("New password")}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          isRequired={changesServers}
          hint={
            changesServers
              ? t(
                  "Enter the password for these servers. The stored password is sent only to servers that accepted it before.",
                )
              : account.auth.kind === "password"
                ? t("Empty: the password stays. A new one is verified before it is stored.")
                : t("Empty: the account signs in as now. A password is verified, then used in place of the OAuth2 app.")
          }
          fault={wasTried && changesServers && password === "" ? t("Enter the password.") : refused("password")}
        />
        <Check isSelected={changesServers} onChange={setChangesServers}>
          {t("Change the mail servers, and with them the ids of folders and messages")}
        </Check>
        {changesServers && (
          <ServerFields servers={servers} onChange={setServers} wasTried={wasTried} error={save.error} />
        )}
        {save.isError && <AccountFault error={save.error} />}
        <div className="buttons end">
          <Button onPress={onClose}>{t("Cancel")}</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {t(save.isPending && (password !== "" || changesServers) ? "Verifying…" : "Save")}
          </Button>
        </div>
      </FormWithFaults>
    </Popup>
  );
};
