import { useLayoutEffect, useRef, useState } from "react";
import { PREFIX } from "../../api/prefix.ts";
import { useIsDark } from "../../shell/theme.ts";
import { Button } from "../../ui/Button.tsx";
import { keepFitting } from "./frame-fit.ts";
import { hideQuote } from "./folded-text.ts";
import { QuoteButton } from "./MessageText.tsx";
import { hasOwnColours } from "./own-colours.ts";
import type { Message } from "../emails/message.ts";
import { t } from "../../texts/text.ts";

export interface MessageFrameProps {
  /** The service sanitizes its HTML, but this component still treats it as untrusted. Without HTML the frame is hidden. */
  readonly message: Pick<Message, "id" | "html" | "newText" | "quotedText">;
  /** Whether to load the frame page whose policy allows remote images; change the frame's `key` with it. */
  readonly withImages: boolean;
}

/**
 * A message's HTML in a frame that runs no script (its sandbox and the policy of its page both forbid it) and fetches
 * remote content only if `withImages` is set. The frame has the console's origin, so that this page can fill and
 * measure it. In the dark theme, a message without colours of its own is shown dark.
 */
export const MessageFrame = ({ message, withImages }: MessageFrameProps) => {
  const { id, html, newText, quotedText } = message;
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(0);
  const [canFold, setFoldable] = useState(false);
  const [unfoldedId, unfold] = useState<string | null>(null);
  const isQuoteShown = unfoldedId === id;
  const isDark = useIsDark();
  const [isDarkened, setDarkened] = useState(false);
  const [onWhiteId, putOnWhite] = useState<string | null>(null);
  const isOnWhite = onWhiteId === id;

  useLayoutEffect(() => {
    const page = frame.current?.contentDocument;
    if (page?.body == null || loaded === 0) return;
    page.body.innerHTML = html ?? "";
    if (html === null) return;
    if (withImages) {
      for (const image of page.querySelectorAll<HTMLElement>("[data-remote-src]")) {
        image.setAttribute("src", image.dataset["remoteSrc"] ?? "");
      }
    }
    const pass = (event: KeyboardEvent): void => {
      document.dispatchEvent(new KeyboardEvent("keydown", event));
    };
    page.addEventListener("keydown", pass);
    const unhide = (quotedText ?? "").trim() === "" ? undefined : hideQuote(page.body, newText ?? "");
    setFoldable(unhide !== undefined);
    if (isQuoteShown) unhide?.();
    const stopFitting = keepFitting(frame.current!, page);
    return () => {
      stopFitting();
      page.removeEventListener("keydown", pass);
    };
  }, [id, html, withImages, loaded, newText, quotedText, isQuoteShown]);

  useLayoutEffect(() => {
    const page = frame.current?.contentDocument;
    if (page?.body == null || loaded === 0) return;
    const hasGround = !isDark || html === null || hasOwnColours(page);
    setDarkened(!hasGround);
    const ground = hasGround || isOnWhite ? "white" : "dark";
    page.documentElement.dataset["ground"] = ground;
    frame.current!.dataset["ground"] = ground;
  }, [id, html, withImages, loaded, isDark, isOnWhite]);

  return (
    <>
      <iframe
        ref={frame}
        title={t("Message content")}
        className="message-frame"
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        src={`${PREFIX}/${withImages ? "message-with-images" : "message"}`}
        hidden={html === null}
        onLoad={() => setLoaded((times) => times + 1)}
      />
      {canFold && html !== null && (
        <QuoteButton isOpen={isQuoteShown} onPress={() => unfold(isQuoteShown ? null : id)} />
      )}
      {isDarkened && html !== null && (
        <Button className="quote-button small" onPress={() => putOnWhite(isOnWhite ? null : id)}>
          {t(isOnWhite ? "Show in dark colours" : "Show original on white")}
        </Button>
      )}
    </>
  );
};
