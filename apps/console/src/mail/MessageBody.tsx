import { ImageOff } from "../ui/icons.tsx";
import { useState } from "react";
import { useSession } from "../session/session.ts";
import { Button } from "../ui/Button.tsx";
import { isForged } from "./authenticity.ts";
import { MessageFrame } from "./MessageFrame.tsx";
import { MessageText } from "./MessageText.tsx";
import type { Message } from "./message.ts";
import { trustSender, useTrustedSenders } from "./trusted-senders.ts";

/** The content of a message: its HTML in a frame, or its text. */
export const MessageBody = ({ message }: { readonly message: Message }) => {
  const account = useSession().data?.email ?? "";
  const trusted = useTrustedSenders(account);
  const [isAsked, setAsked] = useState(false);
  // A sender that forges an address is not treated as its owner.
  const canTrust = message.from !== "" && !isForged(message);
  const withImages = isAsked || (canTrust && trusted.includes(message.from.toLowerCase()));
  if (!message.parsed) {
    return (
      <p className="notice warn">
        This message could not be read
        {message.parseFault === null ? "" : ` (${message.parseFault.replaceAll("_", " ")})`}. Download the original
        message under “To” above.
      </p>
    );
  }
  return (
    <div className="message-body">
      {message.html !== null && message.blockedRemote > 0 && !withImages && (
        <div className="notice images">
          <ImageOff size={18} aria-hidden />
          <div>
            <p>Remote images are not loaded, because they tell the sender that you read this message.</p>
            <div className="buttons">
              <Button onPress={() => setAsked(true)}>Show images</Button>
              {canTrust && (
                <Button onPress={() => trustSender(account, message.from)}>Always show images of {message.from}</Button>
              )}
            </div>
          </div>
        </div>
      )}
      {message.html === null ? (
        <MessageText message={message} />
      ) : (
        <MessageFrame key={String(withImages)} message={message} html={message.html} withImages={withImages} />
      )}
      {message.truncated && <p className="notice warn">Only the beginning of this message is shown.</p>}
    </div>
  );
};
