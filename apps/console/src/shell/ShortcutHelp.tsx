import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { Popup } from "../ui/popups/Popup.tsx";
import { turnShortcuts, useShortcutsAreOn } from "./shortcuts.ts";

const SHORTCUTS = [
  [
    "Anywhere",
    [
      ["?", "Show keyboard shortcuts"],
      ["c", "Write a message"],
      ["/", "Search"],
      ["g i", "Inbox"],
      ["g d", "Drafts"],
      ["g s", "Sent"],
      ["g o", "Outbox"],
      ["g e", "Settings"],
      ["g a", "All inboxes"],
      ["g 1", "First account, g 2 the second …"],
    ],
  ],
  [
    "In a folder",
    [
      ["j", "Next message"],
      ["k", "Previous message"],
      ["Enter", "Open message"],
      ["u", "Back to the list"],
      ["x", "Select message"],
      ["J K", "Select and go on"],
      ["→ ←", "Open or close a conversation"],
      ["Escape", "Clear selection"],
    ],
  ],
  ["While writing", [["Ctrl Enter", "Send"]]],
  [
    "With messages open or selected",
    [
      ["r", "Reply"],
      ["a", "Reply to all"],
      ["f", "Forward"],
      ["s", "Flag or remove flag"],
      ["m", "Mark as unread"],
      ["M", "Mark as read"],
      ["e", "Archive"],
      ["!", "Junk or not junk"],
      ["v", "Move"],
      ["l", "Label"],
      ["#", "Delete"],
      ["z", "Undo"],
    ],
  ],
] as const;

/** The list of keyboard shortcuts, with a switch to turn them off. */
export default function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  const areOn = useShortcutsAreOn();
  return (
    <Popup title="Keyboard shortcuts" isOpen onClose={onClose} wide>
      <div className="shortcut-groups">
        {SHORTCUTS.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, meaning]) => (
                <div key={key}>
                  <dt>
                    {key.split(" ").map((one) => (
                      <kbd key={one}>{one}</kbd>
                    ))}
                  </dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Check isSelected={areOn} onChange={turnShortcuts}>
        Single-key shortcuts
      </Check>
      <div className="buttons end">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Popup>
  );
}
