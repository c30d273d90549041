import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { rich, t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Moment } from "../../ui/Moment.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { adminApi } from "../records/admin-key.ts";
import { applicationPath, refetchKeys, type ServiceKey } from "./service-keys.ts";

/** Service keys, each with a button that deletes it. */
export const KeyLines = ({ keys }: { readonly keys: ReadonlyArray<ServiceKey> }) => {
  const [asked, ask] = useState<ServiceKey | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: ServiceKey) => adminApi("DELETE /api/keys/:id", { params: { id } }),
    onSuccess: (_, { name }) => toast(t("Key {name} deleted.", { name })),
    onError: (error) => toast(t("The key could not be deleted: {reason}", { reason: errorText(error) })),
    onSettled: refetchKeys,
  });
  return (
    <>
      <ul className="lines" aria-label={t("Service keys")}>
        {keys.map((key) => (
          <KeyLine
            key={key.id}
            serviceKey={key}
            isPending={remove.isPending && remove.variables.id === key.id}
            onRemove={() => ask(key)}
          />
        ))}
      </ul>
      {asked !== null && (
        <Question
          title={t("Delete key {name}?", { name: asked.name })}
          yes={t("Delete key")}
          no={t("Cancel")}
          onYes={() => {
            ask(null);
            remove.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {t("Requests with this key are refused at once, and its event streams end. Accounts and endpoints stay.")}
          </p>
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
          {name} {isExpired && <span className="tag bad">{t("expired [key]")}</span>}
        </p>
        <ul className="tags" aria-label={t("Scopes")}>
          {scopes.map((scope) => (
            <li key={scope} className="tag mono">
              {scope}
            </li>
          ))}
        </ul>
        <p className="soft small">
          {application !== id && (
            <>
              {rich("Application <link></link>.", {
                link: () => <Link href={applicationPath(application)}>{application}</Link>,
              })}{" "}
            </>
          )}
          {rich(
            "{accounts, select, all {Reaches all accounts} other {Reaches {accounts}}}{networks, select, all {} other {, from {networks}}}{expiry, select, never {} past {, expired <time></time>} other {, expires <time></time>}}.",
            {
              accounts: accounts?.join(", ") ?? "all",
              networks: networks?.join(", ") ?? "all",
              expiry: expiresAt === null ? "never" : isExpired ? "past" : "future",
              time: () => <Moment at={expiresAt!} />,
            },
          )}{" "}
          {lastUsedAt === null
            ? t("Never used")
            : rich("Last used <time></time>", { time: () => <Moment at={lastUsedAt} /> })}
        </p>
      </div>
      <Button look="danger" isPending={isPending} onPress={onRemove} aria-label={t("Delete key {name}", { name })}>
        {t("Delete")}
      </Button>
    </li>
  );
};
