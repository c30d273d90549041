import { useEffect } from "react";
import { t } from "../texts/text.ts";
import { showConversations, useConversationsAreShown } from "../mail/emails/reading-settings.ts";
import { distrustSender, useTrustedSenders } from "../mail/emails/trusted-senders.ts";
import { BlockedSenders } from "./BlockedSenders.tsx";
import { NotificationChoice } from "./NotificationChoice.tsx";
import { useSession } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { Check } from "../ui/forms/Check.tsx";
import { LanguageChoice } from "../ui/forms/LanguageChoice.tsx";
import { Empty } from "../ui/Empty.tsx";
import { toast } from "../ui/toast.ts";

/** The settings for reading messages in this browser. */
export const ReadingSettings = () => {
  const account = useSession().data?.email ?? "";
  const areShown = useConversationsAreShown();
  const senders = useTrustedSenders(account);
  useEffect(() => {
    document.title = `${t("Reading")} · Postern`;
  }, []);
  return (
    <>
      <header className="page-head">
        <h1>{t("Reading")}</h1>
      </header>
      <div className="language-choice">
        <LanguageChoice />
      </div>
      <Check isSelected={areShown} onChange={showConversations}>
        {t("Show a message with the others of its conversation")}
      </Check>
      <h2 className="settings-part">{t("Notifications")}</h2>
      <NotificationChoice account={account} />
      <h2 className="settings-part">{t("Remote images")}</h2>
      <p className="intro">{t("Remote images of these senders are always loaded in this browser.")}</p>
      {senders.length === 0 ? (
        <Empty title={t("No senders yet")}>
          <p>
            {t("To add a sender, open a message with remote images, and choose to always show the sender’s images.")}
          </p>
        </Empty>
      ) : (
        <ul className="lines" aria-label={t("Senders")}>
          {senders.map((address) => (
            <li key={address} className="line">
              <p className="line-main line-name" dir="auto">
                {address}
              </p>
              <Button
                aria-label={t("Forget {address}", { address })}
                onPress={() => {
                  distrustSender(account, address);
                  toast(t("Images of {address} are loaded only when you ask for them.", { address }));
                }}
              >
                {t("Forget")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <h2 className="settings-part">{t("Blocked senders")}</h2>
      <p className="intro">{t("Mail from these senders goes to Junk when it arrives.")}</p>
      <BlockedSenders />
    </>
  );
};
