import { useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { markText, t } from "../../texts/text.ts";
import { Button } from "../../ui/Button.tsx";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { PagedLines } from "../../ui/PagedLines.tsx";
import { type OutgoingFilter, type OutgoingState, useOutgoing } from "./outgoing.ts";
import { OutgoingActions } from "./OutgoingActions.tsx";
import { OutgoingLine } from "./OutgoingLine.tsx";

const ALL = "all";
const STATES = [
  { id: ALL, name: markText("All states") },
  { id: "scheduled", name: markText("Scheduled [message]") },
  { id: "queued", name: markText("Queued [message]") },
  { id: "held", name: markText("Held [message]") },
  { id: "sending", name: markText("Sending [message]") },
  { id: "sent", name: markText("Sent [message]") },
  { id: "failed", name: markText("Failed [message]") },
  { id: "unknown", name: markText("Unknown [message]") },
  { id: "cancelled", name: markText("Cancelled [message]") },
];

/** The outgoing messages of all accounts, without subjects and contents (spec 6.7). */
export const OperatorOutbox = () => {
  const [asked] = useSearchParams();
  const [application, setApplication] = useState(asked.get("application") ?? "");
  const [account, setAccount] = useState(asked.get("account") ?? "");
  const [state, setState] = useState<OutgoingState | typeof ALL>(ALL);
  const [filter, setFilter] = useState(filterOf(application, account, state));
  const messages = useOutgoing(filter);
  useEffect(() => {
    document.title = `${t("Outbox")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Outbox")}</h1>
      </header>
      <p className="intro">
        {t(
          "The messages that all accounts send, with their envelopes and the answers of mail servers. Their subjects and contents are not shown.",
        )}
      </p>
      <form
        className="list-filter"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setFilter(filterOf(application, account, state));
        }}
      >
        <Field
          label={t("Account")}
          value={account}
          onChange={setAccount}
          inputProps={{ type: "search", spellCheck: false, autoComplete: "off", placeholder: t("Address or id") }}
        />
        <Field
          label={t("Application")}
          value={application}
          onChange={setApplication}
          inputProps={{ type: "search", spellCheck: false, autoComplete: "off" }}
        />
        <Choice
          label={t("State")}
          value={state}
          onChange={(id) => {
            setState(id as OutgoingState | typeof ALL);
            setFilter(filterOf(application, account, id as OutgoingState | typeof ALL));
          }}
          options={STATES.map(({ id, name }) => ({ id, name: t(name) }))}
        />
        <Button type="submit">{t("Filter")}</Button>
      </form>
      <OutgoingActions filter={filter} />
      <PagedLines
        pages={messages}
        label={t("Messages")}
        loading={t("Loading the messages")}
        more={t("Show more messages")}
        empty={<Empty title={t("No messages")} />}
      >
        {(message) => <OutgoingLine key={message.id} message={message} />}
      </PagedLines>
    </>
  );
};

const filterOf = (application: string, account: string, state: OutgoingState | typeof ALL): OutgoingFilter => ({
  ...(application.trim() === "" ? {} : { application: application.trim() }),
  ...(account.trim() === "" ? {} : { account: account.trim() }),
  ...(state === ALL ? {} : { state }),
});
