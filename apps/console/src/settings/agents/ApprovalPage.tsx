import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link } from "wouter";
import { rich, t } from "../../texts/text.ts";
import { api } from "../../api/client.ts";
import { ArrowLeft } from "../../ui/icons/icons.tsx";
import { Bones } from "../../ui/Bones.tsx";
import { Failed } from "../../ui/Failed.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { AgentCalls } from "./AgentCalls.tsx";
import { type Approval, useGrants } from "./agents.ts";
import { policyText } from "./agent-words.ts";
import { ApprovalMessage } from "./ApprovalMessage.tsx";
import { ApprovalState } from "./ApprovalState.tsx";
import { Decision } from "./Decision.tsx";
import "./agents.css";

const LIST = "/settings/approvals";
const POLL_MILLIS = 10_000;

/**
 * An approval with the whole message, its recipients, and the messages that the agent read before its request (spec
 * 13.2).
 */
export default function ApprovalPage({ params: { id } }: { readonly params: { readonly id: string } }) {
  const approval = useQuery({
    queryKey: ["approvals", "one", id],
    queryFn: async ({ signal }) => (await api("GET /api/approvals/:id", { params: { id }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? POLL_MILLIS : false),
    staleTime: 0,
  });
  useEffect(() => {
    document.title = `${t("Approval")} · Postern`;
  }, []);
  if (approval.isPending) return <Bones rows={6} label={t("Loading the approval")} />;
  if (approval.data === undefined) {
    return (
      <Failed error={approval.error} onRetry={approval.refetch}>
        <Link href={LIST} className="button">
          {t("Go to the approvals")}
        </Link>
      </Failed>
    );
  }
  return <ApprovalCard key={id} approval={approval.data} />;
}

const ApprovalCard = ({ approval }: { readonly approval: Approval }) => {
  const { state, by, subject, recipients, createdAt, expiresAt, decidedAt, reason } = approval;
  return (
    <>
      <Link href={LIST} className="tab back">
        <ArrowLeft size={16} aria-hidden />
        {t("Approvals")}
      </Link>
      <header className="page-head">
        <h1 dir="auto">{subject.trim() || t("No subject")}</h1>
        <ApprovalState state={state} />
      </header>
      <p className="intro">
        {rich("<name></name> asked on <time></time> to send this message.", {
          name: () => <strong>{by.name}</strong>,
          time: () => <Moment at={createdAt} whole />,
        })}{" "}
        {state === "pending" &&
          rich("You can decide until <time></time>.", { time: () => <Moment at={expiresAt} whole /> })}
        {decidedAt !== null && rich("It ended on <time></time>.", { time: () => <Moment at={decidedAt} whole /> })}
        {reason !== null && <span dir="auto"> {t("Your reason: {reason}", { reason })}</span>}
      </p>
      <section aria-labelledby="approval-policy">
        <h2 id="approval-policy" className="settings-part">
          {t("Its policy")}
        </h2>
        <PolicyText by={by} />
      </section>
      <section aria-labelledby="approval-recipients">
        <h2 id="approval-recipients" className="settings-part">
          {t("Recipients")}
        </h2>
        <ul className="lines">
          {recipients.map(({ address, known }) => (
            <li key={address} className="line recipient">
              <span className="line-main" dir="auto">
                {address}
              </span>
              {known ? (
                <span className="tag">{t("you wrote to it before")}</span>
              ) : (
                <span className="tag warn">{t("new: you never wrote to it")}</span>
              )}
            </li>
          ))}
        </ul>
      </section>
      <ApprovalMessage approval={approval}>
        {(isShown) => state === "pending" && <Decision approval={approval} canApprove={isShown} />}
      </ApprovalMessage>
      <AgentCalls calls={approval.calls} />
    </>
  );
};

/**
 * The text about the messages that the agent may send without approval, for a grant. A session cannot read the policies
 * of service keys.
 */
const PolicyText = ({ by }: Pick<Approval, "by">) => {
  const grants = useGrants();
  if (by.grant === undefined) {
    return <p>{t("A service key of an application asks, because it may not send this message without approval.")}</p>;
  }
  const grant = grants.data?.find(({ id }) => id === by.grant);
  if (grant !== undefined) return <p>{policyText(grant.sendPolicy, grant.scopes)}</p>;
  return <p className="soft">{t(grants.isPending ? "Loading…" : "The access of this assistant has ended.")}</p>;
};
