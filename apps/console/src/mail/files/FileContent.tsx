import { type ReactNode, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import type { Message } from "../emails/message.ts";
import { PdfFile } from "./PdfFile.tsx";
import { TextFile } from "./TextFile.tsx";
import { t } from "../../texts/text.ts";

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]);
const MAX_PICTURE_BYTES = 10 * 1024 * 1024;

/** The content of an attachment: a picture, or a text or PDF that the user opens. Empty for other types. */
export const FileContent = ({ attachment }: { readonly attachment: Message["attachments"][number] }) => {
  const { name, type, size, url } = attachment;
  const shownName = name ?? t("Unnamed file");
  if (PICTURES.has(type) && size <= MAX_PICTURE_BYTES) {
    return <img className="file-picture" src={url} alt={shownName} loading="lazy" />;
  }
  if (type === "application/pdf" && navigator.pdfViewerEnabled) {
    return (
      <Opened name={shownName}>
        <PdfFile name={shownName} url={url} />
      </Opened>
    );
  }
  if (type.startsWith("text/") && type !== "text/html") {
    return (
      <Opened name={shownName}>
        <TextFile name={shownName} url={url} size={size} />
      </Opened>
    );
  }
  return null;
};

/** A file that is fetched and shown when the user opens it. */
const Opened = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button className="quote-button small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <span dir="auto">{t(isOpen ? "Hide {name}" : "Show {name}", { name })}</span>
      </Button>
      {isOpen && children}
    </>
  );
};
