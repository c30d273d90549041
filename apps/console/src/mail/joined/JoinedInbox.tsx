import { useEffect, useState } from "react";
import { PREFIX } from "../../api/prefix.ts";
import { linkOf } from "../../api/signed-in.ts";
import { Bones } from "../../ui/Bones.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { titleOf } from "../../ui/error-text.ts";
import { Moment } from "../../ui/Moment.tsx";
import { subjectOf } from "../emails/people.ts";
import { type JoinedEmail, useJoinedInbox } from "./joined-inbox.ts";
import "../mail.css";
import { rich, t } from "../../texts/text.ts";
import "./joined.css";

const PAGE = 50;
/** The maximum page size of the service. */
const MAX_PAGE = 200;

/** The inboxes of all accounts that this browser is signed in to, as one list; a message opens in its account. */
export default function JoinedInbox() {
  const [limit, setLimit] = useState(PAGE);
  const { emails, failed, hasMore, isPending, retry } = useJoinedInbox(limit);
  useEffect(() => {
    document.title = `${t("All inboxes")} · Postern`;
  }, []);
  return (
    <main className="page">
      <header className="page-head">
        <h1>{t("All inboxes")}</h1>
      </header>
      {failed.map(({ account, error }) => (
        <div key={account} className="notice bad" role="alert">
          <p>
            {rich("The inbox of <strong>{account}</strong> could not be read: {error}.", {
              account,
              error: titleOf(error),
              strong: (address) => <strong>{address}</strong>,
            })}
          </p>
          <Button onPress={() => void retry()}>{t("Try again")}</Button>
        </div>
      ))}
      {isPending ? (
        <Bones rows={9} label={t("Loading messages")} />
      ) : emails.length === 0 ? (
        <Empty title={t("No messages")} />
      ) : (
        <ul className="joined" aria-label={t("Messages")}>
          {emails.map((one) => (
            <JoinedRow key={`${one.account} ${one.email.id}`} {...one} />
          ))}
        </ul>
      )}
      {hasMore && limit < MAX_PAGE && (
        <Button onPress={() => setLimit(Math.min(MAX_PAGE, limit + PAGE))}>{t("Show older messages")}</Button>
      )}
    </main>
  );
}

const JoinedRow = ({ account, email }: JoinedEmail) => (
  <li className="joined-item">
    <a
      href={linkOf(account, `${PREFIX}/mail/inbox/${email.id}`)}
      className={`row joined-row${email.unread ? " unread" : ""}`}
    >
      <span className="row-mark" aria-hidden />
      {email.unread && <span className="unseen">{t("Unread.")} </span>}
      <span className="row-who">
        <bdi className="cut">{email.fromName || email.from}</bdi>
      </span>
      <span className="row-when">
        <Moment at={email.date} />
      </span>
      <span className="row-subject" dir="auto">
        {subjectOf(email)}
        {email.preview !== null && <span className="row-preview"> {email.preview}</span>}
      </span>
      <span className="row-signs">
        <span className="tag joined-account">{account}</span>
      </span>
    </a>
  </li>
);
