import { ConversationMessage } from "./ConversationMessage.tsx";
import type { Email } from "../emails/emails.ts";
import { t } from "../../texts/text.ts";

/** The later messages of a conversation. */
export const LaterMessages = ({ emails }: { readonly emails: ReadonlyArray<Email> }) =>
  emails.length === 0 ? null : (
    <section className="others" aria-label={t("Later messages")}>
      <h2>{t("{count, plural, one {# later message} other {# later messages}}", { count: emails.length })}</h2>
      <ul>
        {emails.map((email) => (
          <ConversationMessage key={email.id} email={email} isUnfolded={email === emails.at(-1)} />
        ))}
      </ul>
    </section>
  );
