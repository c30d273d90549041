import { useState } from "react";
import { t } from "../texts/text.ts";
import { notifyOf, useIsNotified } from "../live/notifications.ts";
import { useFolders } from "../shell/folders.ts";
import { Check } from "../ui/forms/Check.tsx";

/** A choice whether this browser announces new mail in the inbox. */
export const NotificationChoice = ({ account }: { readonly account: string }) => {
  const inbox = useFolders().data?.find(({ role }) => role === "inbox")?.path ?? "INBOX";
  const isOn = useIsNotified(account, inbox);
  const [isRefused, setRefused] = useState(false);
  if (!("Notification" in window)) return <p className="intro">{t("This browser shows no notifications here.")}</p>;
  const turn = async (on: boolean): Promise<void> => {
    const permission = on ? await Notification.requestPermission() : "granted";
    setRefused(permission !== "granted");
    notifyOf(account, inbox, on && permission === "granted");
  };
  return (
    <>
      <Check isSelected={isOn} onChange={(on) => void turn(on)}>
        {t("Show a notification for new mail in Inbox while the console is open")}
      </Check>
      {isRefused && (
        <p className="notice warn" role="alert">
          {t(
            "The browser does not allow notifications of this page. Allow them in the settings of the browser, then try again.",
          )}
        </p>
      )}
    </>
  );
};
