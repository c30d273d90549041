import { Flag, Paperclip, Reply } from "../ui/icons.tsx";
import { memo } from "react";
import { Link } from "wouter";
import { Moment } from "../ui/Moment.tsx";
import type { Email } from "./emails.ts";
import { correspondent, subjectOf } from "./people.ts";

export interface MessageRowProps {
  readonly email: Email;
  readonly href: string;
  readonly isOpen: boolean;
  readonly isOurs: boolean;
}

/** A message in a list. All rows have the same height, so that the list does not shift. */
export const MessageRow = memo(({ email, href, isOpen, isOurs }: MessageRowProps) => (
  <li>
    <Link
      href={href}
      className={`row${email.unread ? " unread" : ""}${isOpen ? " here" : ""}`}
      aria-current={isOpen ? "true" : undefined}
      data-message={email.id}
    >
      <span className="row-mark" aria-hidden />
      {email.unread && <span className="unseen">Unread. </span>}
      <span className="row-who" dir="auto">
        {correspondent(email, isOurs)}
      </span>
      <span className="row-when">
        <Moment at={email.date} />
      </span>
      <span className="row-subject" dir="auto">
        {subjectOf(email)}
        {email.preview !== null && <span className="row-preview"> {email.preview}</span>}
      </span>
      <span className="row-signs">
        {email.answered && <Reply size={14} aria-label="Answered" />}
        {email.hasAttachments && <Paperclip size={14} aria-label="Has attachments" />}
        {email.flagged && <Flag size={14} className="row-flag" aria-label="Flagged" />}
      </span>
    </Link>
  </li>
));
