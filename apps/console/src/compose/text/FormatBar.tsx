import { useEffect, useState } from "react";
import { FileTrigger, ToggleButton, Toolbar } from "react-aria-components";
import type Squire from "squire-rte";
import { Button } from "../../ui/Button.tsx";
import type { Icon } from "../../ui/icons/icons.tsx";
import { Bold, Image, Italic, Link, List, ListOrdered, RemoveFormatting, TextQuote } from "./format-icons.tsx";
import { LinkQuestion } from "./LinkQuestion.tsx";
import { markText, t, type Text } from "../../texts/text.ts";

export interface FormatBarProps {
  readonly editor: Squire;
  readonly onPicture: (file: File) => void;
  /** Switches to plain text. */
  readonly onPlain: () => void;
}

interface Format {
  readonly name: Text;
  readonly tag: string;
  readonly icon: Icon;
  readonly set: (editor: Squire) => Squire;
  readonly remove: (editor: Squire) => Squire;
}

const removeList = (one: Squire) => one.removeList();

const FORMATS: ReadonlyArray<Format> = [
  { name: markText("Bold"), tag: "B", icon: Bold, set: (one) => one.bold(), remove: (one) => one.removeBold() },
  { name: markText("Italic"), tag: "I", icon: Italic, set: (one) => one.italic(), remove: (one) => one.removeItalic() },
  { name: markText("Bulleted list"), tag: "UL", icon: List, set: (one) => one.makeUnorderedList(), remove: removeList },
  {
    name: markText("Numbered list"),
    tag: "OL",
    icon: ListOrdered,
    set: (one) => one.makeOrderedList(),
    remove: removeList,
  },
  {
    name: markText("Quote"),
    tag: "BLOCKQUOTE",
    icon: TextQuote,
    set: (one) => one.increaseQuoteLevel(),
    remove: (one) => one.decreaseQuoteLevel(),
  },
];

/** Moves the cursor behind the selection, such as an inserted link. */
const goAfter = (editor: Squire): void => {
  const range = editor.getSelection();
  range.collapse(false);
  editor.setSelection(range);
};

/** The buttons that format the selection. The buttons show the formats at the cursor. */
export const FormatBar = ({ editor, onPicture, onPlain }: FormatBarProps) => {
  const [active, setActive] = useState<ReadonlySet<string>>(new Set());
  const [isLinking, setLinking] = useState(false);
  useEffect(() => {
    const look = (): void =>
      setActive(new Set([...FORMATS.map(({ tag }) => tag), "A"].filter((tag) => editor.hasFormat(tag))));
    const events = ["pathChange", "select", "cursor", "input"];
    for (const event of events) editor.addEventListener(event, look);
    for (const key of ["Ctrl-k", "Meta-k"]) {
      editor.setKeyHandler(key, (_: Squire, event: KeyboardEvent) => {
        event.preventDefault();
        setLinking(true);
      });
    }
    return () => {
      for (const event of events) editor.removeEventListener(event, look);
    };
  }, [editor]);
  return (
    <>
      <Toolbar className="format-bar" aria-label={t("Formatting")}>
        {FORMATS.map(({ name, tag, icon: Shape, set, remove }) => (
          <ToggleButton
            key={tag}
            className="button quiet icon"
            aria-label={t(name)}
            isSelected={active.has(tag)}
            onChange={(isSet) => {
              (isSet ? set : remove)(editor);
              editor.focus();
            }}
          >
            <Shape size={17} aria-hidden />
          </ToggleButton>
        ))}
        <ToggleButton
          className="button quiet icon"
          aria-label={t(active.has("A") ? "Remove link" : "Link")}
          isSelected={active.has("A")}
          onChange={(isSet) => {
            if (isSet) setLinking(true);
            else editor.removeLink().focus();
          }}
        >
          <Link size={17} aria-hidden />
        </ToggleButton>
        <FileTrigger
          acceptedFileTypes={["image/png", "image/jpeg", "image/gif", "image/webp"]}
          allowsMultiple
          onSelect={(files) => [...(files ?? [])].forEach(onPicture)}
        >
          <Button look="quiet" label={t("Insert picture")} icon={<Image size={17} aria-hidden />} />
        </FileTrigger>
        <Button
          look="quiet"
          label={t("Remove formatting")}
          icon={<RemoveFormatting size={17} aria-hidden />}
          onPress={() => editor.removeAllFormatting().focus()}
        />
        <span className="format-gap" />
        <Button look="quiet" onPress={onPlain}>
          {t("Plain text")}
        </Button>
      </Toolbar>
      {isLinking && (
        <LinkQuestion
          onClose={() => setLinking(false)}
          onLink={(url) => {
            setLinking(false);
            const isPlaced = editor.getSelection().collapsed;
            editor.makeLink(url).focus();
            if (isPlaced) goAfter(editor);
          }}
        />
      )}
    </>
  );
};
