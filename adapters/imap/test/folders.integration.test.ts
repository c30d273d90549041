import {
  copiesContract,
  describeWithCyrus,
  describeWithDovecot,
  type DovecotOptions,
  mailboxChangesContract,
  inboxWatchContract,
  mailboxReaderContract,
  mailboxTreeContract,
  messageChangesContract,
  messageReaderContract,
  messageSearchContract,
  nightly,
} from "@postern/testkit";
import { imapOnCyrus } from "./imap-on-cyrus.ts";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

/** Capabilities of a server without MOVE, UIDPLUS and other extensions. */
const BARE = "IMAP4rev1 LITERAL+ NAMESPACE";

describeWithDovecot("changing mailboxes on Dovecot", () => {
  const servers: ReadonlyArray<readonly [string, DovecotOptions]> = [
    ["separator /", {}],
    ...nightly<readonly [string, DovecotOptions]>([
      ["without any extension", { capabilities: BARE, marked: false }],
      ["separator .", { separator: "." }],
      ["prefix INBOX.", { separator: ".", prefix: "INBOX." }],
      ["without MOVE", { capabilities: `${BARE} UIDPLUS LIST-STATUS SPECIAL-USE` }],
    ]),
  ];
  for (const [name, options] of servers) mailboxChangesContract(`MailboxChanges, ${name}`, imapOnDovecot(options));
  messageChangesContract("MessageChanges", imapOnDovecot());
  for (const capabilities of nightly([`${BARE} UIDPLUS`]))
    messageChangesContract("MessageChanges, without MOVE", imapOnDovecot({ capabilities }));
  messageChangesContract("MessageChanges, bare", imapOnDovecot({ capabilities: BARE }));
  inboxWatchContract("InboxWatch without any extension", imapOnDovecot({ capabilities: `${BARE} UIDPLUS` }, QUICK));
  for (const capabilities of nightly([`${BARE} UIDPLUS`]))
    copiesContract("copies, with UIDPLUS", imapOnDovecot({ capabilities }));
  copiesContract("copies, without UIDPLUS", imapOnDovecot({ capabilities: BARE }));
});

/** A short poll interval, for servers whose IDLE is missing or silent. */
const QUICK = { timeouts: { keepalive: "2 seconds" } } as const;

/** Cyrus allows these characters in no name, and refuses a password without saying why. */
const CYRUS = { refuses: /["<>\\^`{|}]/, explains: false };

describeWithCyrus("mailboxes on Cyrus", () => {
  for (const separator of ["/", ...nightly(["."])] as const) {
    mailboxTreeContract(`MailboxTree, separator ${separator}`, imapOnCyrus({ separator }), CYRUS);
    mailboxChangesContract(`MailboxChanges, separator ${separator}`, imapOnCyrus({ separator }), {
      ...CYRUS,
      marks: true,
    });
  }
  for (const separator of nightly(["."])) {
    mailboxChangesContract("MailboxChanges, prefix INBOX.", imapOnCyrus({ separator, prefixed: true }), {
      ...CYRUS,
      marks: true,
    });
  }
  mailboxReaderContract("MailboxReader", imapOnCyrus());
  messageReaderContract("MessageReader", imapOnCyrus());
  messageChangesContract("MessageChanges", imapOnCyrus(), { longKeywords: true });
  // This Cyrus (3.6.1, without a text index) finds nothing in bodies.
  messageSearchContract("MessageSearch", imapOnCyrus(), { inBodies: false });
  inboxWatchContract("InboxWatch", imapOnCyrus({}, QUICK));
});
