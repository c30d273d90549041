import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { rich, t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { errorText } from "../../ui/error-text.ts";
import { Failed } from "../../ui/Failed.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { Question } from "../../ui/popups/Question.tsx";
import { toast } from "../../ui/toast.ts";
import { policyText, rightsText } from "./agent-words.ts";
import { type Grant, listGrantsAgain, useGrants } from "./agents.ts";

/** The assistants with access to the mailbox, with their rights and a button that ends the access (spec 13.3). */
export default function GrantList() {
  const grants = useGrants();
  const [asked, ask] = useState<Grant | null>(null);
  const end = useMutation({
    mutationFn: ({ id }: Grant) => api("DELETE /api/grants/:id", { params: { id } }),
    onSuccess: (_, { name }) => toast(t("The access of {name} has ended.", { name })),
    onError: (error) => toast(t("The access could not be ended: {error}", { error: errorText(error) })),
    onSettled: listGrantsAgain,
  });
  useEffect(() => {
    document.title = `${t("Assistants")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Assistants")}</h1>
      </header>
      <p className="intro">
        {t(
          "Assistants that you gave access to this mailbox. Each can do what is listed, and nothing else. Access that is not used for 30 days ends.",
        )}
      </p>
      {grants.isPending ? (
        <Bones rows={3} label={t("Loading the assistants")} />
      ) : grants.isError ? (
        <Failed error={grants.error} onRetry={grants.refetch} />
      ) : grants.data.length === 0 ? (
        <Empty title={t("No assistant has access")}>
          <p>{t("An assistant that you connect to this mailbox asks you in the browser what it may do.")}</p>
        </Empty>
      ) : (
        <ul className="lines" aria-label={t("Assistants")}>
          {grants.data.map((grant) => (
            <GrantLine
              key={grant.id}
              grant={grant}
              isPending={end.isPending && end.variables.id === grant.id}
              onEnd={() => ask(grant)}
            />
          ))}
        </ul>
      )}
      {asked !== null && (
        <Question
          title={t("End the access of {name}?", { name: asked.name })}
          yes={t("End access")}
          no={t("Cancel")}
          onYes={() => {
            ask(null);
            end.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            {t(
              "All requests of the assistant are refused at once. Its waiting messages are held, and its drafts stay in Drafts.",
            )}
          </p>
        </Question>
      )}
    </>
  );
}

interface GrantLineProps {
  readonly grant: Grant;
  readonly isPending: boolean;
  readonly onEnd: () => void;
}

const GrantLine = ({ grant, isPending, onEnd }: GrantLineProps) => {
  const { name, client, scopes, sendPolicy, createdAt, lastUsedAt, expiresAt } = grant;
  return (
    <li className="line">
      <div className="line-main">
        <p className="line-name" dir="auto">
          {name}
        </p>
        <p className="small">
          {rightsText(scopes)} {policyText(sendPolicy, scopes)}
        </p>
        <p className="soft small">
          {client.host === null
            ? t("Calls itself {name}; its publisher is not verified.", { name: client.name })
            : t("Published by {host}.", { host: client.host })}{" "}
          {rich(
            "Since <since></since>, {use, select, none {not used yet} other {last used <used></used>}}, ends on <end></end> unless it is used.",
            {
              since: () => <Moment at={createdAt} />,
              use: lastUsedAt === null ? "none" : "some",
              used: () => lastUsedAt !== null && <Moment at={lastUsedAt} />,
              end: () => <Moment at={expiresAt} />,
            },
          )}
        </p>
      </div>
      <Button look="danger" label={t("End access of {name}", { name })} isPending={isPending} onPress={onEnd}>
        {t("End access")}
      </Button>
    </li>
  );
};
