import { Download, Paperclip } from "../../ui/icons/icons.tsx";
import { bytes } from "../../ui/bytes.ts";
import { TextFile } from "./TextFile.tsx";
import type { Message } from "../emails/message.ts";

type Attachment = Message["attachments"][number];

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const LARGEST_PICTURE = 10 * 1024 * 1024;

/** The attachments of a message, with download links and previews of pictures and texts. */
export const AttachmentList = ({ attachments }: { readonly attachments: ReadonlyArray<Attachment> }) => {
  if (attachments.length === 0) return null;
  return (
    <section className="files" aria-label="Attachments">
      <h2>
        {attachments.length} {attachments.length === 1 ? "attachment" : "attachments"}
      </h2>
      <ul>
        {attachments.map((attachment) => (
          <li key={attachment.id}>
            <a href={attachment.url} download={attachment.name ?? "attachment"} className="file">
              <Paperclip size={17} aria-hidden />
              <span className="file-name" dir="auto">
                {attachment.name ?? "Unnamed file"}
              </span>
              <span className="soft small numbers">
                {attachment.type}, {bytes(attachment.size)}
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

const FileContent = ({ attachment: { name, type, size, url } }: { readonly attachment: Attachment }) => {
  if (PICTURES.has(type) && size <= LARGEST_PICTURE) {
    return <img className="file-picture" src={url} alt={name ?? "Attached picture"} loading="lazy" />;
  }
  return type.startsWith("text/") && type !== "text/html" ? <TextFile name={name} url={url} size={size} /> : null;
};
