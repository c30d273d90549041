import { describeWithDovecot, overQuotaContract, QUOTA } from "@postern/testkit";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

describeWithDovecot("a quota on Dovecot", () => {
  overQuotaContract("a full account", imapOnDovecot({ quota: QUOTA }));
  overQuotaContract(
    "a full account, without MOVE",
    imapOnDovecot({ quota: QUOTA, capabilities: "IMAP4rev1 LITERAL+ NAMESPACE UIDPLUS SPECIAL-USE" }),
    { copies: true },
  );
});
