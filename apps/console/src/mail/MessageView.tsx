import { ArrowLeft, Download, OctagonAlert } from "../ui/icons.tsx";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { Moment } from "../ui/Moment.tsx";
import { Failed } from "../ui/Failed.tsx";
import { authenticationText, isForged } from "./authenticity.ts";
import { AttachmentList } from "./AttachmentList.tsx";
import { isAnswer, useConversation } from "./conversation.ts";
import { EarlierMessages } from "./EarlierMessages.tsx";
import { LaterMessages } from "./LaterMessages.tsx";
import { MessageBody } from "./MessageBody.tsx";
import { MessageTools } from "./MessageTools.tsx";
import { type Message, useMessage } from "./message.ts";
import { mark, type Target } from "./message-actions.ts";
import { mailbox, subjectOf } from "./people.ts";
import { useConversationsAreShown } from "./reading-settings.ts";
import "./message.css";

export interface MessageViewProps {
  readonly id: string;
  readonly backTo: string;
  /** Whether the keys of the actions act on this message. */
  readonly hasKeys: boolean;
  readonly onGone: (targets: ReadonlyArray<Target>) => void;
}

/** A message with its actions; showing it marks it as read. */
export default function MessageView({ id, backTo, hasKeys, onGone }: MessageViewProps) {
  const query = useMessage(id);
  const heading = useRef<HTMLHeadingElement>(null);
  const [areNamesOpen, openNames] = useState(false);
  const message = query.data;
  const isRead = useRef(false);

  useEffect(() => {
    if (message === undefined || isRead.current) return;
    isRead.current = true;
    heading.current?.focus({ preventScroll: true });
    if (message.unread) void mark([message], { unread: false });
  }, [id, message]);

  if (query.isPending) {
    return (
      <div className="message" role="status">
        <span className="unseen">Loading message</span>
        <span className="bone message-bone">—</span>
      </div>
    );
  }
  if (query.isError) {
    return (
      <Failed error={query.error} onRetry={query.refetch}>
        <Link href={backTo} className="button">
          Back to the list
        </Link>
      </Failed>
    );
  }
  const shown = query.data;
  return (
    <article className="message">
      <div className="message-tools">
        <Link href={backTo} className="button quiet icon message-back" aria-label="Back to the list">
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <MessageTools message={shown} backTo={backTo} hasKeys={hasKeys} onGone={onGone} />
      </div>
      <header className="message-head">
        <h1 ref={heading} tabIndex={-1} dir="auto">
          {subjectOf(shown)}
        </h1>
        <div className="message-from">
          <p dir="auto">
            <strong>{shown.fromName || shown.from || "Unknown sender"}</strong>{" "}
            {shown.fromName !== "" && <span className="soft">{shown.from}</span>}
          </p>
          <p className="soft small">
            <Moment at={shown.date} whole />
          </p>
        </div>
        {isForged(shown) && (
          <p className="notice bad">
            <OctagonAlert size={18} aria-hidden />
            <span>
              This message may not be from <strong dir="auto">{shown.from}</strong>: {shown.authentication?.source}{" "}
              reports that the domain of this address did not send it (DMARC failed). Do not open its links or files
              unless you know better.
            </span>
          </p>
        )}
        <details className="small" open={areNamesOpen} onToggle={(event) => openNames(event.currentTarget.open)}>
          <summary>
            To {shown.to.length + shown.cc.length} {shown.to.length + shown.cc.length === 1 ? "person" : "people"}
          </summary>
          <dl className="message-names">
            <dt>To</dt>
            <dd dir="auto">{shown.to.map(mailbox).join(", ") || "No recipients"}</dd>
            {shown.cc.length > 0 && (
              <>
                <dt>Cc</dt>
                <dd dir="auto">{shown.cc.map(mailbox).join(", ")}</dd>
              </>
            )}
            {shown.replyTo !== "" && (
              <>
                <dt>Reply to</dt>
                <dd dir="auto">{shown.replyTo}</dd>
              </>
            )}
            {authenticationText(shown) !== null && (
              <>
                <dt>Checks</dt>
                <dd>{authenticationText(shown)}</dd>
              </>
            )}
            {shown.messageId !== null && (
              <>
                <dt>Message-ID</dt>
                <dd className="mono">{shown.messageId}</dd>
              </>
            )}
          </dl>
          <a href={shown.rawUrl} download={`${shown.id}.eml`} className="button">
            <Download size={16} aria-hidden />
            Download original message
          </a>
        </details>
      </header>
      <MessageContent message={shown} />
    </article>
  );
}

/** The content of a message, between the earlier and the later messages of its conversation. */
const MessageContent = ({ message }: { readonly message: Message }) => {
  const areShown = useConversationsAreShown();
  const { earlier, later, isPending } = useConversation(message, areShown);
  return (
    <>
      {areShown && isAnswer(message) && <EarlierMessages emails={earlier} isPending={isPending} />}
      <MessageBody message={message} />
      <AttachmentList attachments={message.attachments.filter(({ inline }) => !inline)} />
      <LaterMessages emails={later} />
    </>
  );
};
