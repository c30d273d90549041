import { Download, Paperclip } from "../../ui/icons/icons.tsx";
import { bytes } from "../../ui/bytes.ts";
import type { Message } from "../emails/message.ts";
import { DownloadAll } from "./DownloadAll.tsx";
import { FileContent } from "./FileContent.tsx";
import { t } from "../../texts/text.ts";

export interface AttachmentListProps {
  readonly attachments: Message["attachments"];
  readonly subject: string;
}

/** The attachments of a message, with download links and previews of pictures, texts and PDFs. */
export const AttachmentList = ({ attachments, subject }: AttachmentListProps) => {
  if (attachments.length === 0) return null;
  return (
    <section className="files" aria-label={t("Attachments")}>
      <div className="files-head">
        <h2>{t("{count, plural, one {# attachment} other {# attachments}}", { count: attachments.length })}</h2>
        {attachments.length > 1 && <DownloadAll attachments={attachments} name={subject} />}
      </div>
      <ul>
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            <a href={attachment.url} download={attachment.name ?? t("attachment")} className="file">
              <Paperclip size={17} aria-hidden />
              <span className="file-name" dir="auto">
                {attachment.name ?? t("Unnamed file")}
              </span>
              <span className="soft small numbers">
                {t("{type}, {size}", { type: attachment.type, size: bytes(attachment.size) })}
              </span>
              <Download size={17} aria-hidden />
            </a>
            <FileContent attachment={attachment} />
          </li>
        ))}
      </ul>
    </section>
  );
};
