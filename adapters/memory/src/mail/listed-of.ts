import type { ListedMailbox } from "@postern/core/mail";
import type { NamedMailbox } from "./Mailbox.ts";
import { DELIMITER } from "./MailServerInMemory.ts";

/** Returns the listing entry of a mailbox of the fake server. */
export const listedOf = ({ path, role, mailbox }: NamedMailbox): ListedMailbox => ({
  path,
  prefix: "",
  delimiter: DELIMITER,
  role,
  ...(mailbox?.isClosed === true ? { isClosed: true as const } : {}),
  status:
    mailbox === null || mailbox.isClosed
      ? null
      : {
          total: mailbox.messages.length,
          unread: mailbox.unread,
          uidValidity: mailbox.uidValidity,
          uidNext: mailbox.uidNext,
          mailboxId: null,
        },
});
