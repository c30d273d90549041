import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { foldedText } from "./folded-text.ts";
import { linkUrls } from "./linked.tsx";
import type { Message } from "../emails/message.ts";
import { t } from "../../texts/text.ts";

/** The plain text of a message, with the quoted history folded. */
export const MessageText = ({ message }: { readonly message: Message }) => {
  const [isOpen, setOpen] = useState(false);
  const parts = foldedText(message);
  if (parts === null) {
    return (
      <div className="message-text" dir="auto">
        {linkUrls(message.text ?? "")}
      </div>
    );
  }
  return (
    <>
      <div className="message-text" dir="auto">
        {linkUrls(parts.shown)}
      </div>
      <QuoteButton isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
      {isOpen && (
        <div className="message-text quoted" dir="auto">
          {linkUrls(parts.folded)}
        </div>
      )}
    </>
  );
};

/** Shows and hides the quoted history. */
export const QuoteButton = ({ isOpen, onPress }: { readonly isOpen: boolean; readonly onPress: () => void }) => (
  <Button className="quote-button small" aria-expanded={isOpen} onPress={onPress}>
    {t(isOpen ? "Hide quoted text" : "Show quoted text")}
  </Button>
);
