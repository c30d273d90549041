import { ChevronDown, Reply } from "../../ui/icons/icons.tsx";
import { useState } from "react";
import { Link } from "wouter";
import { folderName, useFolders } from "../../shell/folders.ts";
import { Failed } from "../../ui/Failed.tsx";
import { Moment } from "../../ui/Moment.tsx";
import { AttachmentList } from "../files/AttachmentList.tsx";
import type { Email } from "../emails/emails.ts";
import { MessageBody } from "./MessageBody.tsx";
import { subjectOf } from "../emails/people.ts";
import { useMessage } from "../emails/message.ts";
import { rich, t } from "../../texts/text.ts";

/** Another message of a conversation, shown as a line that unfolds. */
export const ConversationMessage = ({ email, isUnfolded }: { readonly email: Email; readonly isUnfolded: boolean }) => {
  const [isOpen, setOpen] = useState(isUnfolded);
  const message = useMessage(isOpen ? email.id : null);
  const folder = useFolders().data?.find(({ path }) => path === email.folder);
  return (
    <li className="other">
      <button type="button" className="other-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <ChevronDown size={16} className={isOpen ? "" : "folded"} aria-hidden />
        <strong dir="auto">{email.fromName || email.from || t("Unknown sender")}</strong>
        <span className="soft small">
          {email.folder === "INBOX" ? (
            <Moment at={email.date} whole />
          ) : (
            rich("{folder}, <time></time>", {
              folder: folder?.role == null ? email.folder : folderName(folder),
              time: () => <Moment at={email.date} whole />,
            })
          )}
        </span>
      </button>
      {isOpen &&
        (message.isError ? (
          <Failed error={message.error} onRetry={message.refetch} />
        ) : message.data === undefined ? (
          <p className="soft small">{t("Loading…")}</p>
        ) : (
          <>
            <MessageBody message={message.data} />
            <AttachmentList
              attachments={message.data.attachments.filter(({ inline }) => !inline)}
              subject={subjectOf(email)}
            />
            <Link href={`/compose?reply=${encodeURIComponent(email.id)}`} className="button other-reply">
              <Reply size={16} aria-hidden />
              {t("Reply to this message")}
            </Link>
          </>
        ))}
    </li>
  );
};
