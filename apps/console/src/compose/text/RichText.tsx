import { useEffect, useRef, useState } from "react";
import Squire from "squire-rte";
import { FormatBar, type FormatBarProps } from "./FormatBar.tsx";
import { dataUrl, keepPicture, pictureOf } from "../../kept/pictures.ts";
import { plainText } from "./plain-text.ts";
import { messageHtml, safeFragment } from "./safe-html.ts";
import { t } from "../../texts/text.ts";

export interface RichTextProps extends Pick<FormatBarProps, "onPlain"> {
  /** The initial HTML; change the `key` to show other HTML. */
  readonly html: string;
  readonly autoFocus: boolean;
  readonly onChange: (written: { readonly html: string; readonly text: string }) => void;
  /** Called with a picture that is shown in the text under this Content-ID. */
  readonly onPicture: (file: File, contentId: string) => void;
  /** Returns the id of the upload for the picture with this Content-ID. */
  readonly uploadOf: (contentId: string) => string | undefined;
  /** Called with other files that are dropped on the text. */
  readonly onFile: (file: File) => void;
}

const isPicture = ({ type }: File): boolean => /^image\/(?:png|jpeg|gif|webp)$/.test(type);

/** The editor for the text of a message with formatting and pictures. */
export const RichText = ({ html, autoFocus, onChange, onPicture, uploadOf, onFile, onPlain }: RichTextProps) => {
  const root = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Squire | null>(null);
  const heard = useRef({ onChange, onPicture, onFile });
  useEffect(() => {
    heard.current = { onChange, onPicture, onFile };
  });

  useEffect(() => {
    const element = root.current!;
    const squire = new Squire(element, {
      blockAttributes: { dir: "auto" },
      tagAttributes: { blockquote: { type: "cite" }, a: { rel: "noreferrer" } },
      sanitizeToDOMFragment: safeFragment,
    });
    squire.setHTML(html);
    // The quote follows the user's text, so the cursor starts at the top.
    squire.moveCursorToStart();
    const insert = (files: ReadonlyArray<File>): void => {
      for (const file of files) {
        if (isPicture(file)) void insertPicture(squire, file, heard.current.onPicture);
        else heard.current.onFile(file);
      }
    };
    const drop = (event: DragEvent): void => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      insert(files);
    };
    squire.addEventListener("input", () =>
      heard.current.onChange({ html: messageHtml(element), text: plainText(element) }),
    );
    squire.addEventListener("pasteImage", (event: Event) => {
      const { clipboardData } = (event as CustomEvent<{ readonly clipboardData: DataTransfer }>).detail;
      insert([...clipboardData.files]);
    });
    element.addEventListener("drop", drop, true);
    for (const picture of element.querySelectorAll("img[data-cid]:not([src])")) {
      const cid = picture.getAttribute("data-cid")!;
      void pictureOf(cid, uploadOf(cid)).then((url) => url !== null && picture.setAttribute("src", url));
    }
    if (autoFocus) squire.focus();
    setEditor(squire);
    return () => {
      element.removeEventListener("drop", drop, true);
      squire.destroy();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return (
    <div className="rich">
      {editor !== null && (
        <FormatBar
          editor={editor}
          onPicture={(file) => void insertPicture(editor, file, heard.current.onPicture)}
          onPlain={onPlain}
        />
      )}
      <div
        ref={root}
        className="input rich-text"
        contentEditable
        suppressContentEditableWarning
        role="textbox"
        aria-multiline
        aria-label={t("Message")}
        dir="auto"
        tabIndex={0}
      />
    </div>
  );
};

const insertPicture = async (editor: Squire, file: File, onPicture: RichTextProps["onPicture"]): Promise<void> => {
  const contentId = `${crypto.randomUUID()}@postern`;
  await keepPicture(contentId, file);
  const picture = editor.insertImage(await dataUrl(file), { alt: file.name, "data-cid": contentId });
  picture.setAttribute("data-cid", contentId);
  onPicture(file, contentId);
};
