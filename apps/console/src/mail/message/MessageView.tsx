import { ArrowLeft } from "../../ui/icons/icons.tsx";
import { useLayoutEffect, useRef } from "react";
import { Link } from "wouter";
import { afterPaint } from "../../ui/after-paint.ts";
import { Failed } from "../../ui/Failed.tsx";
import { InvitationCard } from "../asks/InvitationCard.tsx";
import { AttachmentList } from "../files/AttachmentList.tsx";
import { isAnswer, useConversation } from "./conversation.ts";
import type { Email } from "../emails/email.ts";
import { EarlierMessages } from "./EarlierMessages.tsx";
import { LaterMessages } from "./LaterMessages.tsx";
import { MessageBody } from "./MessageBody.tsx";
import { MessageHead } from "./MessageHead.tsx";
import { MessageTools } from "./MessageTools.tsx";
import { type Message, useMessage } from "../emails/message.ts";
import { mark, type Target } from "../actions/message-actions.ts";
import { subjectOf } from "../emails/people.ts";
import { useConversationsAreShown } from "../emails/reading-settings.ts";
import { t } from "../../texts/text.ts";
import "./message.css";

export interface MessageViewProps {
  readonly id: string;
  readonly backTo: string;
  /** The message's row in the list, whose actions are available before the message is read. */
  readonly listed: Target & Partial<Email>;
  /** Whether keyboard shortcuts act on this message. */
  readonly hasKeys: boolean;
  /** The messages to which the actions apply, if there are more than this one: the conversation in one row. */
  readonly acted: ReadonlyArray<Email>;
  readonly onGone: (targets: ReadonlyArray<Target>) => void;
}

/**
 * A message with its actions; showing it marks it as read. The toolbar and the frame are reused for the next message,
 * because creating them takes longer than all other work for a key.
 */
export default function MessageView({ id, backTo, listed, hasKeys, acted, onGone }: MessageViewProps) {
  const query = useMessage(id);
  const heading = useRef<HTMLHeadingElement>(null);
  const message = query.data;
  const openedId = useRef<string | null>(null);

  useLayoutEffect(() => {
    if (message === undefined || openedId.current === id) return;
    openedId.current = id;
    const focus = (): void => {
      if (openedId.current === id) heading.current?.focus({ preventScroll: true });
    };
    focus();
    // This runs after a menu that closes with the previous message has restored the focus.
    afterPaint(focus);
    heading.current?.closest(".mail-read")?.scrollTo(0, 0);
    if (message.unread) afterPaint(() => void mark([message], { unread: false }));
  }, [id, message]);

  return (
    <article className="message">
      <div className="message-tools">
        <Link href={backTo} className="button quiet icon message-back" aria-label={t("Back to the list")}>
          <ArrowLeft size={18} aria-hidden />
        </Link>
        <MessageTools
          message={message ?? listed}
          sender={message?.from ?? listed.from ?? ""}
          backTo={backTo}
          hasKeys={hasKeys}
          acted={acted}
          onGone={onGone}
        />
      </div>
      {query.isPending && (
        <div className="message-head" role="status">
          {listed.subject !== undefined && <p dir="auto">{subjectOf({ subject: listed.subject })}</p>}
          <span className="unseen">{t("Loading message")}</span>
          <span className="bone message-bone">—</span>
        </div>
      )}
      {query.isError && (
        <Failed error={query.error} onRetry={query.refetch}>
          <Link href={backTo} className="button">
            {t("Back to the list")}
          </Link>
        </Failed>
      )}
      {message !== undefined && (
        <>
          <MessageHead key={id} message={message} heading={heading} />
          <MessageContent message={message} />
        </>
      )}
    </article>
  );
}

/** The content of a message, between the earlier and the later messages of its conversation. */
const MessageContent = ({ message }: { readonly message: Message }) => {
  const areShown = useConversationsAreShown();
  const { earlier, later, isPending } = useConversation(message, areShown);
  return (
    <>
      {areShown && isAnswer(message) && (
        <EarlierMessages key={`earlier ${message.id}`} emails={earlier} isPending={isPending} />
      )}
      <InvitationCard key={`event ${message.id}`} id={message.id} invitation={message.invitation} />
      <MessageBody message={message} keepsFrame />
      <AttachmentList
        key={`files ${message.id}`}
        attachments={message.attachments.filter(({ inline }) => !inline)}
        subject={subjectOf(message)}
      />
      <LaterMessages key={`later ${message.id}`} emails={later} />
    </>
  );
};
