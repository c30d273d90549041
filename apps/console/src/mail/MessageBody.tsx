import { ImageOff } from "../ui/icons.tsx";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { linked } from "./linked.tsx";
import { MessageFrame } from "./MessageFrame.tsx";
import type { Message } from "./message.ts";

/** The content of a message: its HTML in a frame, or its text. */
export const MessageBody = ({ message }: { readonly message: Message }) => {
  const [withImages, setWithImages] = useState(false);
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
          <p>
            Remote images are not loaded, because they tell the sender that you read this message.{" "}
            <Button onPress={() => setWithImages(true)}>Show images</Button>
          </p>
        </div>
      )}
      {message.html === null ? (
        <div className="message-text" dir="auto">
          {linked(message.text ?? "")}
        </div>
      ) : (
        <MessageFrame key={String(withImages)} html={message.html} withImages={withImages} />
      )}
      {message.truncated && <p className="notice warn">Only the beginning of this message is shown.</p>}
    </div>
  );
};
