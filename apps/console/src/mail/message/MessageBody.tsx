import { ImageOff } from "../../ui/icons/icons.tsx";
import { useState } from "react";
import { useSession } from "../../session/session.ts";
import { Button } from "../../ui/Button.tsx";
import { isForged } from "./authenticity.ts";
import { MessageFrame } from "./MessageFrame.tsx";
import { useHasRested } from "./useHasRested.ts";
import { MessageText } from "./MessageText.tsx";
import { isUnreadYet, type Message } from "../emails/message.ts";
import { trustSender, useTrustedSenders } from "../emails/trusted-senders.ts";
import { markText, t } from "../../texts/text.ts";

const PARSE_FAULTS = {
  malformed: markText("malformed"),
  too_slow: markText("too slow"),
  crashed: markText("crashed"),
  quarantined: markText("quarantined"),
  busy: markText("busy"),
} as const;

export interface MessageBodyProps {
  readonly message: Message;
  /**
   * Whether the same frame shows one message after another. While a plain text is shown, the frame stays but is hidden.
   */
  readonly keepsFrame?: boolean;
}

/** The content of a message: its HTML in a frame, or its text. */
export const MessageBody = ({ message, keepsFrame = false }: MessageBodyProps) => {
  const account = useSession().data?.email ?? "";
  const trusted = useTrustedSenders(account);
  const [askedFor, askFor] = useState<string | null>(null);
  const hasRested = useHasRested("frame");
  // A sender who forges an address must not get the trust of its owner.
  const canTrust = message.from !== "" && !isForged(message);
  const withImages = askedFor === message.id || (canTrust && trusted.includes(message.from.toLowerCase()));
  if (isUnreadYet(message)) {
    return <p className="notice">{t("The service is busy. It reads this message in a moment.")}</p>;
  }
  if (!message.parsed) {
    return (
      <p className="notice warn">
        {message.parseFault === null
          ? t("This message could not be read. Download the original message under “To” above.")
          : t("This message could not be read ({reason}). Download the original message under “To” above.", {
              reason: t(PARSE_FAULTS[message.parseFault]),
            })}
      </p>
    );
  }
  return (
    <div className="message-body">
      {message.html !== null && message.blockedRemote > 0 && !withImages && (
        <div className="notice images">
          <ImageOff size={18} aria-hidden />
          <div>
            <p>
              {t("Remote images are not loaded, because loading them tells the sender that you read this message.")}
            </p>
            <div className="buttons">
              <Button onPress={() => askFor(message.id)}>{t("Show images")}</Button>
              {canTrust && (
                <Button onPress={() => trustSender(account, message.from)}>
                  {t("Always show images of {address}", { address: message.from })}
                </Button>
              )}
            </div>
          </div>
        </div>
      )}
      {message.html === null && <MessageText key={`text ${message.id}`} message={message} />}
      {(message.html !== null || (keepsFrame && hasRested)) && (
        <MessageFrame
          // Remote images need a page with another policy, which is loaded for one message only.
          key={withImages ? `images ${message.id}` : "frame"}
          message={message}
          withImages={withImages}
        />
      )}
      {message.truncated && <p className="notice warn">{t("Only the beginning of this message is shown.")}</p>}
    </div>
  );
};
