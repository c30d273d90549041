import { ChevronDown, Flag, OctagonAlert, Paperclip, Reply } from "../../ui/icons/icons.tsx";
import { memo, type MouseEvent } from "react";
import { Link } from "wouter";
import { endDrag } from "../../shell/dragged.ts";
import { numberText } from "../../texts/formats.ts";
import { Moment } from "../../ui/Moment.tsx";
import type { Email } from "../emails/emails.ts";
import type { ListedConversation } from "./grouped-rows.ts";
import { LabelTags } from "../emails/LabelTags.tsx";
import { participants, subjectOf } from "../emails/people.ts";
import { Recipients } from "../emails/Recipients.tsx";
import { t } from "../../texts/text.ts";

export interface MessageRowProps {
  readonly email: Email;
  /** The position of the row in the list, and the number of rows in the list, including those outside the view. */
  readonly index: number;
  readonly count: number;
  readonly top: number;
  readonly href: string;
  readonly isOpen: boolean;
  /** Whether the Tab key reaches this row, which is so for one row of the list. */
  readonly isCurrent: boolean;
  readonly isChosen: boolean;
  /** The conversation that the row stands for, if it has several messages. */
  readonly conversation: ListedConversation | undefined;
  /** Whether the row is below the row of its conversation. */
  readonly isBelow: boolean;
  readonly onFold: (id: string, isOpen: boolean) => void;
  readonly isOurs: boolean;
  /** The reason why the last action on the message failed. */
  readonly fault: string | undefined;
  readonly onChoose: (index: number, isRange: boolean) => void;
  readonly onFocus: (index: number) => void;
  readonly onDrag: (index: number, transfer: DataTransfer) => void;
}

/** A message in a list, with its checkbox. All rows have the same height, so that the list can compute the rows in view. */
export const MessageRow = memo((props: MessageRowProps) => {
  const { email, index, count, top, href, isOpen, isCurrent, isChosen, isOurs, fault, onChoose, onFocus, onDrag } =
    props;
  const { conversation, isBelow, onFold } = props;
  const isFolded = conversation?.isOpen === false;
  const emails = isFolded ? conversation.emails : [email];
  const isUnread = emails.some(({ unread }) => unread);
  const from = participants(emails, isOurs);
  const tabIndex = isCurrent ? 0 : -1;
  const chooseRange = (event: MouseEvent): void => {
    if (!event.shiftKey) return;
    event.preventDefault();
    onChoose(index, true);
  };
  return (
    // The checkbox and the link in the row handle the keys; the row only observes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={`row-item${isChosen ? " chosen" : ""}${isOpen ? " here" : ""}${isBelow ? " below" : ""}`}
      style={{ top }}
      aria-setsize={count}
      aria-posinset={index + 1}
      onFocus={() => onFocus(index)}
    >
      <label className="row-pick">
        <input
          type="checkbox"
          aria-label={t("Select {subject}, {from}", { subject: subjectOf(email), from: from || t("No recipient") })}
          tabIndex={tabIndex}
          checked={isChosen}
          onChange={({ nativeEvent }) => onChoose(index, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)}
        />
      </label>
      <Link
        href={href}
        className={`row${isUnread ? " unread" : ""}${isOpen ? " here" : ""}`}
        aria-current={isOpen ? "true" : undefined}
        data-message={email.id}
        data-row={index}
        tabIndex={tabIndex}
        // The link does not call its `onClick` with Shift.
        onClickCapture={chooseRange}
        onDragStart={(event) => onDrag(index, event.dataTransfer)}
        onDragEnd={endDrag}
      >
        <span className="row-mark" aria-hidden />
        {isUnread && <span className="unseen">{t("Unread.")} </span>}
        <span className="row-who">
          {isOurs ? <Recipients names={from} /> : <bdi className="cut">{from}</bdi>}
          {isFolded && <span className="row-count numbers"> {numberText(emails.length)}</span>}
        </span>
        <span className="row-when">
          <Moment at={email.date} />
        </span>
        <span className="row-subject" dir="auto">
          {subjectOf(email)}
          {email.preview !== null && <span className="row-preview"> {email.preview}</span>}
        </span>
        <span className="row-signs">
          <LabelTags labels={email.labels} />
          {fault !== undefined && (
            <span className="row-fault" title={fault}>
              <OctagonAlert size={14} aria-label={fault} role="img" />
            </span>
          )}
          {email.answered && <Reply size={14} role="img" aria-label={t("Answered")} />}
          {emails.some(({ hasAttachments }) => hasAttachments) && (
            <Paperclip size={14} role="img" aria-label={t("Has attachments")} />
          )}
          {emails.some(({ flagged }) => flagged) && (
            <Flag size={14} className="row-flag" role="img" aria-label={t("Flagged")} />
          )}
        </span>
      </Link>
      {conversation !== undefined && (
        <button
          type="button"
          className="row-fold"
          tabIndex={tabIndex}
          aria-expanded={conversation.isOpen}
          aria-label={t("{count, plural, one {# message} other {# messages}}: {subject}", {
            count: conversation.emails.length,
            subject: subjectOf(email),
          })}
          onClick={() => onFold(email.id, !conversation.isOpen)}
        >
          <ChevronDown size={16} className={conversation.isOpen ? "" : "folded"} aria-hidden />
        </button>
      )}
    </li>
  );
});
