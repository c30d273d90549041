import { Download, Paperclip } from "../ui/icons.tsx";
import { bytes } from "../ui/bytes.ts";
import type { Message } from "./message.ts";

/** The attachments of a message, with download links. */
export const AttachmentList = ({ attachments }: { readonly attachments: Message["attachments"] }) => {
  if (attachments.length === 0) return null;
  return (
    <section className="files" aria-label="Attachments">
      <h2>
        {attachments.length} {attachments.length === 1 ? "attachment" : "attachments"}
      </h2>
      <ul>
        {attachments.map(({ id, name, type, size, url }) => (
          <li key={id}>
            <a href={url} download={name ?? "attachment"} className="file">
              <Paperclip size={17} aria-hidden />
              <span className="file-name" dir="auto">
                {name ?? "Unnamed file"}
              </span>
              <span className="soft small numbers">
                {type}, {bytes(size)}
              </span>
              <Download size={17} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
