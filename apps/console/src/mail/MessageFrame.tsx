import { useEffect, useRef, useState } from "react";
import { PREFIX } from "../api/prefix.ts";

export interface MessageFrameProps {
  /** HTML that the service has sanitized; this component still treats it as untrusted. */
  readonly html: string;
  /** Whether to load the frame page whose policy allows remote images; change the frame's `key` with it. */
  readonly withImages: boolean;
}

const LEAST_HEIGHT = 80;

/**
 * A message's HTML in a frame that runs no script (its sandbox and the policy of its page both forbid it) and fetches
 * remote content only if `withImages` is set. It has our origin, so that this page can fill and measure it.
 */
export const MessageFrame = ({ html, withImages }: MessageFrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LEAST_HEIGHT);
  const [loaded, setLoaded] = useState(0);

  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page?.body == null || loaded === 0) return;
    page.body.innerHTML = html;
    if (withImages) {
      for (const image of page.querySelectorAll<HTMLElement>("[data-remote-src]")) {
        image.setAttribute("src", image.dataset["remoteSrc"] ?? "");
      }
    }
    const measure = (): void => setHeight(Math.max(LEAST_HEIGHT, Math.ceil(page.body.getBoundingClientRect().height)));
    const observer = new ResizeObserver(measure);
    observer.observe(page.body);
    const pass = (event: KeyboardEvent): void => {
      document.dispatchEvent(new KeyboardEvent("keydown", event));
    };
    page.addEventListener("keydown", pass);
    return () => {
      observer.disconnect();
      page.removeEventListener("keydown", pass);
    };
  }, [html, withImages, loaded]);

  return (
    <iframe
      ref={frame}
      title="Message content"
      className="message-frame"
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      src={`${PREFIX}/${withImages ? "message-with-images" : "message"}`}
      style={{ height }}
      onLoad={() => setLoaded((times) => times + 1)}
    />
  );
};
