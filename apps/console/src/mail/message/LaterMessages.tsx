import { ConversationMessage } from "./ConversationMessage.tsx";
import type { Email } from "../emails/emails.ts";

/** The later messages of a conversation. */
export const LaterMessages = ({ emails }: { readonly emails: ReadonlyArray<Email> }) =>
  emails.length === 0 ? null : (
    <section className="others" aria-label="Later messages">
      <h2>{emails.length === 1 ? "1 later message" : `${emails.length} later messages`}</h2>
      <ul>
        {emails.map((email) => (
          <ConversationMessage key={email.id} email={email} isUnfolded={email === emails.at(-1)} />
        ))}
      </ul>
    </section>
  );
