import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Failed } from "../../ui/Failed.tsx";
import { Plus } from "../../ui/icons/icons.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { keysChanged, type ServiceKey, useServiceKeys } from "./service-keys.ts";

/** The service keys, newest first (spec 10.2). */
export const KeyList = () => {
  const keys = useServiceKeys();
  const [asked, ask] = useState<ServiceKey | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: ServiceKey) => adminApi("DELETE /api/keys/:id", { params: { id } }),
    onSuccess: (_, { name }) => toast(`Key ${name} deleted.`),
    onError: (error) => toast(`The key could not be deleted: ${errorText(error)}`),
    onSettled: keysChanged,
  });
  useEffect(() => {
    document.title = "Service keys · Postern";
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>Service keys</h1>
        <Link href="/accounts/keys/new" className="button primary">
          <Plus size={17} aria-hidden />
          Create key
        </Link>
      </header>
      <p className="intro">
        The backend of an application sends its key with every request. The key decides which operations and which
        accounts the application may use.
      </p>
      {keys.isPending ? (
        <Bones rows={3} label="the keys" />
      ) : keys.isError ? (
        <Failed error={keys.error} onRetry={keys.refetch} />
      ) : keys.data.length === 0 ? (
        <Empty title="No keys yet">
          <p>Create a key for each application, with the scopes that it needs.</p>
        </Empty>
      ) : (
        <ul className="lines">
          {keys.data.map((key) => (
            <KeyLine
              key={key.id}
              serviceKey={key}
              isPending={remove.isPending && remove.variables.id === key.id}
              onRemove={() => ask(key)}
            />
          ))}
        </ul>
      )}
      {asked !== null && (
        <Question
          title={`Delete key ${asked.name}?`}
          yes="Delete key"
          no="Cancel"
          onYes={() => {
            ask(null);
            remove.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>Requests with this key are refused at once, and its event streams end. Accounts and endpoints stay.</p>
        </Question>
      )}
    </>
  );
};

const KeyLine = ({
  serviceKey,
  isPending,
  onRemove,
}: {
  readonly serviceKey: ServiceKey;
  readonly isPending: boolean;
  readonly onRemove: () => void;
}) => {
  const { id, name, application, scopes, accounts, networks, expiresAt, lastUsedAt } = serviceKey;
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <li className="line">
      <div className="line-main">
        <p className="line-name">
          {name} {isExpired && <span className="tag bad">expired</span>}
        </p>
        <ul className="tags" aria-label="Scopes">
          {scopes.map((scope) => (
            <li key={scope} className="tag mono">
              {scope}
            </li>
          ))}
        </ul>
        <p className="soft small">
          {application === id ? "" : `Application ${application}. `}
          Reaches {accounts === null ? "all accounts" : accounts.join(", ")}
          {networks === null ? "" : `, from ${networks.join(", ")}`}
          {expiresAt !== null && (
            <>
              , {isExpired ? "expired" : "expires"} <Moment at={expiresAt} />
            </>
          )}
          . {lastUsedAt === null ? "Never used" : "Last used "}
          {lastUsedAt !== null && <Moment at={lastUsedAt} />}
        </p>
      </div>
      <Button look="danger" isPending={isPending} onPress={onRemove} aria-label={`Delete key ${name}`}>
        Delete
      </Button>
    </li>
  );
};
