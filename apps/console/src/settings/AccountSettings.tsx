import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { rich, t } from "../texts/text.ts";
import { dropDrafts } from "../kept/kept-drafts.ts";
import { forgetSenders } from "../mail/emails/trusted-senders.ts";
import { eraseAccount, useSession } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { toast } from "../ui/toast.ts";
import { TypedQuestion } from "../ui/popups/TypedQuestion.tsx";

/** The account, and the removal of all data that the service stores about it (spec 3). */
export const AccountSettings = () => {
  const account = useSession().data?.email ?? "";
  const [isAsked, setAsked] = useState(false);
  const erase = useMutation({
    mutationFn: eraseAccount,
    onSuccess: () => {
      dropDrafts(account);
      forgetSenders(account);
      toast(t("Everything stored of {account} was erased.", { account }));
    },
  });
  useEffect(() => {
    document.title = `${t("Account")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Account")}</h1>
      </header>
      <p className="intro">
        {rich(
          "You are signed in as <account></account>. The service stores the password of this mailbox (encrypted), the outbox, uploads, webhook endpoints and events. Your mail stays on the mail server.",
          { account: () => <strong>{account}</strong> },
        )}
      </p>
      <Button look="danger" onPress={() => setAsked(true)}>
        {t("Erase the account")}
      </Button>
      {isAsked && (
        <TypedQuestion
          title={t("Erase everything stored of this account?")}
          address={account}
          yes={t("Erase")}
          action={erase}
          onClose={() => setAsked(false)}
        >
          <p>
            {t(
              "All sessions end, queued and scheduled messages are not sent, and endpoints receive nothing more. Your mail stays on the mail server, and a new sign-in starts afresh. This cannot be undone.",
            )}
          </p>
        </TypedQuestion>
      )}
    </>
  );
};
