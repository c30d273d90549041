import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { t } from "../../texts/text.ts";
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

/** The assistants with access to the mailbox: what each may do, and a button that ends it (spec 13.3). */
export default function GrantList() {
  const grants = useGrants();
  const [asked, ask] = useState<Grant | null>(null);
  const end = useMutation({
    mutationFn: ({ id }: Grant) => api("DELETE /api/grants/:id", { params: { id } }),
    onSuccess: (_, { name }) => toast(`The access of ${name} has ended.`),
    onError: (error) => toast(`The access could not be ended: ${errorText(error)}`),
    onSettled: listGrantsAgain,
  });
  useEffect(() => {
    document.title = "Assistants · Postern";
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>Assistants</h1>
      </header>
      <p className="intro">
        Assistants that you gave access to this mailbox. Each can do what is listed, and nothing else. Access that is
        not used for 30 days ends.
      </p>
      {grants.isPending ? (
        <Bones rows={3} label={t("Loading the assistants")} />
      ) : grants.isError ? (
        <Failed error={grants.error} onRetry={grants.refetch} />
      ) : grants.data.length === 0 ? (
        <Empty title="No assistant has access">
          <p>An assistant that you connect to this mailbox asks you in the browser what it may do.</p>
        </Empty>
      ) : (
        <ul className="lines" aria-label="Assistants">
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
          title={`End the access of ${asked.name}?`}
          yes="End access"
          no="Cancel"
          onYes={() => {
            ask(null);
            end.mutate(asked);
          }}
          onNo={() => ask(null)}
        >
          <p>
            Every request of it is refused at once. Its messages that wait to be sent are held, and its drafts stay in
            Drafts.
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
          {client.host === null ? (
            <>Calls itself {client.name}; its publisher is not verified.</>
          ) : (
            <>Published by {client.host}.</>
          )}{" "}
          Since <Moment at={createdAt} />,{" "}
          {lastUsedAt === null ? (
            "not used yet"
          ) : (
            <>
              last used <Moment at={lastUsedAt} />
            </>
          )}
          , ends on <Moment at={expiresAt} /> unless it is used.
        </p>
      </div>
      <Button look="danger" label={`End access of ${name}`} isPending={isPending} onPress={onEnd}>
        End access
      </Button>
    </li>
  );
};
