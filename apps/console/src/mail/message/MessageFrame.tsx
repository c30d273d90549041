import { useLayoutEffect, useRef, useState } from "react";
import { PREFIX } from "../../api/prefix.ts";
import { hideQuote } from "./folded-text.ts";
import { QuoteButton } from "./MessageText.tsx";
import type { Message } from "../emails/message.ts";

export interface MessageFrameProps {
  /** The service sanitizes its HTML, but this component still treats it as untrusted. Without HTML the frame is hidden. */
  readonly message: Message;
  /** Whether to load the frame page whose policy allows remote images; change the frame's `key` with it. */
  readonly withImages: boolean;
}

const LEAST_HEIGHT = 80;
/** The smallest scale. Wider contents are scrolled, because scaled letters would be too small. */
const LEAST_ZOOM = 0.3;
/** Width of a frame on paper: less than that of A4 and Letter between the margins of browsers. */
const PAPER_WIDTH = 680;

/** Fits a frame to its page: makes it as high as the page, and shrinks content that is too wide. */
const fit = (frame: HTMLIFrameElement, { body, documentElement: root }: Document): void => {
  body.style.removeProperty("zoom");
  const zoom = root.clientWidth / root.scrollWidth;
  if (zoom < 0.995) body.style.setProperty("zoom", String(Math.max(LEAST_ZOOM, zoom)));
  frame.style.height = `${Math.max(LEAST_HEIGHT, Math.ceil(body.getBoundingClientRect().height))}px`;
};

/**
 * A message's HTML in a frame that runs no script (its sandbox and the policy of its page both forbid it) and fetches
 * remote content only if `withImages` is set. The frame has the console's origin, so that this page can fill and
 * measure it.
 */
export const MessageFrame = ({ message, withImages }: MessageFrameProps) => {
  const { id, html, newText, quotedText } = message;
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState(0);
  const [canFold, setFoldable] = useState(false);
  const [unfoldedId, unfold] = useState<string | null>(null);
  const isQuoteShown = unfoldedId === id;

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
    const element = frame.current!;
    const measure = (): void => fit(element, page);
    const measureOnPaper = (): void => {
      element.style.width = `${PAPER_WIDTH}px`;
      measure();
    };
    const measureOnScreen = (): void => {
      element.style.removeProperty("width");
      measure();
    };
    const pass = (event: KeyboardEvent): void => {
      document.dispatchEvent(new KeyboardEvent("keydown", event));
    };
    page.addEventListener("keydown", pass);
    const unhide = (quotedText ?? "").trim() === "" ? undefined : hideQuote(page.body, newText ?? "");
    setFoldable(unhide !== undefined);
    if (isQuoteShown) unhide?.();
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(page.body);
    observer.observe(element);
    window.addEventListener("beforeprint", measureOnPaper);
    window.addEventListener("afterprint", measureOnScreen);
    return () => {
      observer.disconnect();
      window.removeEventListener("beforeprint", measureOnPaper);
      window.removeEventListener("afterprint", measureOnScreen);
      page.removeEventListener("keydown", pass);
    };
  }, [id, html, withImages, loaded, newText, quotedText, isQuoteShown]);

  return (
    <>
      <iframe
        ref={frame}
        title="Message content"
        className="message-frame"
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        src={`${PREFIX}/${withImages ? "message-with-images" : "message"}`}
        hidden={html === null}
        onLoad={() => setLoaded((times) => times + 1)}
      />
      {canFold && html !== null && (
        <QuoteButton isOpen={isQuoteShown} onPress={() => unfold(isQuoteShown ? null : id)} />
      )}
    </>
  );
};
