import { ImageOff } from "../ui/icons.tsx";
import { useState } from "react";
import { Button } from "../ui/Button.tsx";
import { linked } from "./linked.tsx";
import { MessageFrame } from "./MessageFrame.tsx";
import type { Message } from "./message.ts";

/** What a message says: its HTML in a frame of its own, else its text. */
export const MessageBody = ({ message }: { readonly message: Message }) => {
  const [withPictures, showPictures] = useState(false);
  if (!message.parsed) {
    return (
      <p className="notice warn">
        This message could not be read
        {message.parseFault === null ? "" : ` (${message.parseFault.replaceAll("_", " ")})`}. It can be downloaded as it
        came, from “To” above.
      </p>
    );
  }
  return (
    <div className="message-body">
      {message.html !== null && message.blockedRemote > 0 && !withPictures && (
        <div className="notice pictures">
          <ImageOff size={18} aria-hidden />
          <p>
            Pictures from elsewhere are not loaded: they tell the sender that you read this.{" "}
            <Button onPress={() => showPictures(true)}>Show pictures</Button>
          </p>
        </div>
      )}
      {message.html === null ? (
        <div className="message-text" dir="auto">
          {linked(message.text ?? "")}
        </div>
      ) : (
        <MessageFrame key={String(withPictures)} html={message.html} withPictures={withPictures} />
      )}
      {message.truncated && <p className="notice warn">The message is longer than what is shown here.</p>}
    </div>
  );
};
