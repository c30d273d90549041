import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConversationMessage } from "./ConversationMessage.tsx";
import type { Email } from "../emails/emails.ts";

/** The earlier messages of a conversation, folded to one line, whose space is reserved before they are read. */
export const EarlierMessages = ({
  emails,
  isPending,
}: {
  readonly emails: ReadonlyArray<Email>;
  isPending: boolean;
}) => {
  const [isOpen, setOpen] = useState(false);
  const count = emails.length === 1 ? "1 earlier message" : `${emails.length} earlier messages`;
  return (
    <section className="others" aria-label="Earlier messages">
      {isPending ? (
        <p className="others-line soft small">Looking for earlier messages…</p>
      ) : emails.length === 0 ? (
        <p className="others-line soft small">The earlier messages are not in this mailbox.</p>
      ) : (
        <Button className="quote-button small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {isOpen ? "Hide" : "Show"} {count}
        </Button>
      )}
      {isOpen && (
        <ul>
          {emails.map((email) => (
            <ConversationMessage key={email.id} email={email} isUnfolded={false} />
          ))}
        </ul>
      )}
    </section>
  );
};
