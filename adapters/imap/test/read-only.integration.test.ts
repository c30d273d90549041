import { describeWithDovecot, readOnlyContract } from "@postern/testkit";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

describeWithDovecot("rights on Dovecot", () => {
  readOnlyContract("a mailbox to read only", imapOnDovecot({ acl: true }));
  readOnlyContract(
    "a mailbox to read only, without MOVE",
    imapOnDovecot({ acl: true, capabilities: "IMAP4rev1 LITERAL+ NAMESPACE UIDPLUS SPECIAL-USE ACL" }),
  );
});
