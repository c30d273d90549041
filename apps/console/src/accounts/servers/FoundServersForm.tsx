import { useState } from "react";
import { t } from "../../texts/text.ts";
import { faultOf } from "../../ui/error-text.ts";
import { FormButtons } from "../../ui/forms/FormButtons.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { FormWithFaults } from "../../ui/forms/FormWithFaults.tsx";
import { Radios } from "../../ui/forms/Radios.tsx";
import { AccountFault } from "./AccountFault.tsx";
import type { Candidate, NewAccount } from "../records/accounts.ts";
import { BY_HAND, chosenServers, serverOptions } from "./found-servers.ts";
import { PasswordField } from "./PasswordField.tsx";
import { draftsOf, isWhole } from "./server-draft.ts";
import { ServerFields } from "./ServerFields.tsx";
import { tagsFault, tagsOf } from "../records/tags.ts";

export interface FoundServersFormProps {
  readonly email: string;
  readonly candidates: ReadonlyArray<Candidate>;
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onSave: (account: NewAccount) => void;
}

/** The second form of a new account: its servers (discovered or typed), its password, name and tags. */
export const FoundServersForm = ({ email, candidates, error, isPending, onSave }: FoundServersFormProps) => {
  const [choice, setChoice] = useState(candidates.length === 0 ? BY_HAND : "0");
  const [servers, setServers] = useState(draftsOf(candidates[0]));
  const [password, setPassword] = useState("");
  const [name, setName] = useState("");
  const [tags, setTags] = useState("");
  const [wasTried, setTried] = useState(false);
  const isByHand = choice === BY_HAND;
  const refused = (field: string) => faultOf(error, field);
  const submit = (): boolean => {
    setTried(true);
    if (password === "" || tagsFault(tags) !== undefined) return false;
    if (isByHand && !(isWhole(servers.imap) && isWhole(servers.smtp))) return false;
    onSave({
      email,
      password,
      ...chosenServers(choice, candidates, servers),
      ...(name.trim() === "" ? {} : { name: name.trim() }),
      ...(tagsOf(tags).length === 0 ? {} : { tags: tagsOf(tags) }),
    });
    return true;
  };
  return (
    <FormWithFaults className="form" onSubmit={submit} error={error}>
      <Radios
        label={t("Mail servers")}
        value={choice}
        onChange={setChoice}
        options={serverOptions(email, candidates)}
      />
      {isByHand && <ServerFields servers={servers} onChange={setServers} wasTried={wasTried} error={error} />}
      <PasswordField
        email={email}
        candidate={isByHand ? undefined : candidates[Number(choice)]}
        value={password}
        onChange={setPassword}
        fault={wasTried && password === "" ? t("Enter the password.") : refused("password")}
      />
      <Field
        label={t("Name")}
        value={name}
        onChange={setName}
        hint={t("Optional: its owner.")}
        fault={refused("name")}
      />
      <Field
        label={t("Tags")}
        value={tags}
        onChange={setTags}
        hint={t("Optional. Separate tags with commas; keys and lists select accounts by them.")}
        fault={tagsFault(tags) ?? refused("tags")}
      />
      {error !== null && <AccountFault error={error} />}
      <p className="soft small" role="status">
        {isPending && t("Signing in at both servers. A server that does not answer takes a minute.")}
      </p>
      <FormButtons submit={t(isPending ? "Verifying…" : "Verify and add")} isPending={isPending} cancel="/accounts" />
    </FormWithFaults>
  );
};
