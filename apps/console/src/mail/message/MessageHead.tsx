import { Download, OctagonAlert } from "../../ui/icons/icons.tsx";
import { type RefObject, useState } from "react";
import { Moment } from "../../ui/Moment.tsx";
import { UnsubscribeButton } from "../asks/UnsubscribeButton.tsx";
import { authenticationText, isForged } from "./authenticity.ts";
import type { Message } from "../emails/message.ts";
import { mailboxes, subjectOf } from "../emails/people.ts";
import { rich, t } from "../../texts/text.ts";

export interface MessageHeadProps {
  readonly message: Message;
  readonly heading: RefObject<HTMLHeadingElement | null>;
}

/** The head of a message: its subject, people and time. */
export const MessageHead = ({ message, heading }: MessageHeadProps) => {
  const [areNamesOpen, openNames] = useState(false);
  return (
    <header className="message-head">
      <h1 ref={heading} tabIndex={-1} dir="auto">
        {subjectOf(message)}
      </h1>
      <div className="message-from">
        <p dir="auto">
          <strong>{message.fromName || message.from || t("Unknown sender")}</strong>{" "}
          {message.fromName !== "" && <span className="soft">{message.from}</span>}{" "}
          <UnsubscribeButton id={message.id} way={message.unsubscribe} />
        </p>
        <p className="soft small">
          <Moment at={message.date} whole />
        </p>
      </div>
      {isForged(message) && (
        <p className="notice bad">
          <OctagonAlert size={18} aria-hidden />
          <span>
            {rich(
              "This message may not be from <strong>{address}</strong>: {source} reports that the domain of this address did not send it (DMARC failed). Do not open its links or files unless you know that the message is genuine.",
              {
                address: message.from,
                source: message.authentication?.source ?? "",
                strong: (address) => <strong dir="auto">{address}</strong>,
              },
            )}
          </span>
        </p>
      )}
      <details className="small" open={areNamesOpen} onToggle={(event) => openNames(event.currentTarget.open)}>
        <summary>
          {t("To {count, plural, one {# person} other {# people}}", { count: message.toCount + message.ccCount })}
        </summary>
        <dl className="message-names">
          <dt>{t("To")}</dt>
          <dd dir="auto">{mailboxes(message.to, message.toCount) || t("No recipients")}</dd>
          {message.cc.length > 0 && (
            <>
              <dt>{t("Cc")}</dt>
              <dd dir="auto">{mailboxes(message.cc, message.ccCount)}</dd>
            </>
          )}
          {message.replyTo !== "" && (
            <>
              <dt>{t("Reply to")}</dt>
              <dd dir="auto">{message.replyTo}</dd>
            </>
          )}
          {authenticationText(message) !== null && (
            <>
              <dt>{t("Checks")}</dt>
              <dd>{authenticationText(message)}</dd>
            </>
          )}
          {message.messageId !== null && (
            <>
              <dt>Message-ID</dt>
              <dd className="mono">{message.messageId}</dd>
            </>
          )}
        </dl>
        <a href={message.rawUrl} download={`${message.id}.eml`} className="button">
          <Download size={16} aria-hidden />
          {t("Download original message")}
        </a>
      </details>
    </header>
  );
};
