import { markText, t, type Text } from "../texts/text.ts";
import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { Popup } from "../ui/popups/Popup.tsx";
import { turnShortcuts, useShortcutsAreOn } from "./shortcuts.ts";

const SHORTCUTS = [
  [
    markText("Anywhere"),
    [
      ["?", markText("Show keyboard shortcuts")],
      ["c", markText("Write a message")],
      ["/", markText("Search")],
      ["g i", markText("Inbox")],
      ["g d", markText("Drafts")],
      ["g s", markText("Sent")],
      ["g o", markText("Outbox")],
      ["g e", markText("Settings")],
      ["g a", markText("All inboxes")],
      ["g 1", markText("First account, g 2 the second …")],
    ],
  ],
  [
    markText("In a folder"),
    [
      ["j", markText("Next message")],
      ["k", markText("Previous message")],
      ["Enter", markText("Open message")],
      ["u", markText("Back to the list")],
      ["x", markText("Select message")],
      ["J K", markText("Select and go on")],
      ["→ ←", markText("Open or close a conversation")],
      ["Escape", markText("Clear selection")],
    ],
  ],
  [markText("While writing"), [["Ctrl Enter", markText("Send")]]],
  [
    markText("With messages open or selected"),
    [
      ["r", markText("Reply")],
      ["a", markText("Reply to all")],
      ["f", markText("Forward")],
      ["s", markText("Flag or remove flag")],
      ["m", markText("Mark as unread")],
      ["M", markText("Mark as read")],
      ["e", markText("Archive")],
      ["!", markText("Junk or not junk")],
      ["v", markText("Move")],
      ["l", markText("Label [action]")],
      ["#", markText("Delete")],
      ["z", markText("Undo")],
    ],
  ],
] as const;

const KEY_NAMES: Readonly<Record<string, Text>> = {
  Ctrl: markText("Ctrl"),
  Enter: markText("Enter [key]"),
  Escape: markText("Escape [key]"),
};

const keyName = (key: string): string => (KEY_NAMES[key] === undefined ? key : t(KEY_NAMES[key]));

/** The list of keyboard shortcuts, with a switch to turn them off. */
export default function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const areOn = useShortcutsAreOn();
  return (
    <Popup title={t("Keyboard shortcuts")} isOpen onClose={onClose} wide>
      <div className="shortcut-groups">
        {SHORTCUTS.map(([title, keys]) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    {key.split(" ").map((one) => (
                      <kbd key={one}>{keyName(one)}</kbd>
                    ))}
                  </dt>
                  <dd>{t(meaning)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Check isSelected={areOn} onChange={turnShortcuts}>
        {t("Single-key shortcuts")}
      </Check>
      <div className="buttons end">
        <Button onPress={onClose}>{t("Close")}</Button>
      </div>
    </Popup>
  );
}
