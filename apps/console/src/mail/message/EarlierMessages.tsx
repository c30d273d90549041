import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConversationMessage } from "./ConversationMessage.tsx";
import type { Email } from "../emails/emails.ts";
import { t } from "../../texts/text.ts";

/** The earlier messages of a conversation, folded to one line, whose space is reserved before they are read. */
export const EarlierMessages = ({
  emails,
  isPending,
}: {
  readonly emails: ReadonlyArray<Email>;
  isPending: boolean;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="others" aria-label={t("Earlier messages")}>
      {isPending ? (
        <p className="others-line soft small">{t("Looking for earlier messages…")}</p>
      ) : emails.length === 0 ? (
        <p className="others-line soft small">{t("The earlier messages are not in this mailbox.")}</p>
      ) : (
        <Button className="quote-button small" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {t(
            isOpen
              ? "{count, plural, one {Hide # earlier message} other {Hide # earlier messages}}"
              : "{count, plural, one {Show # earlier message} other {Show # earlier messages}}",
            { count: emails.length },
          )}
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
