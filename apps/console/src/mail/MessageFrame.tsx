import { useEffect, useRef, useState } from "react";
import { PREFIX } from "../api/prefix.ts";

export interface MessageFrameProps {
  /** Sanitised by the service; here it is held as if it were not. */
  readonly html: string;
  /** Another page is loaded then, which may fetch them: give the frame another `key` too. */
  readonly withPictures: boolean;
}

const LEAST_HEIGHT = 80;

/**
 * A message's HTML. The frame runs no script (its sandbox does not allow any, nor does the policy of the page in it) and
 * fetches nothing from elsewhere unless asked to. It has our origin so that it can be filled and measured from outside.
 */
export const MessageFrame = ({ html, withPictures }: MessageFrameProps) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(LEAST_HEIGHT);
  const [loaded, setLoaded] = useState(0);

  useEffect(() => {
    const page = frame.current?.contentDocument;
    if (page?.body == null || loaded === 0) return;
    page.body.innerHTML = html;
    if (withPictures) {
      for (const picture of page.querySelectorAll<HTMLElement>("[data-remote-src]")) {
        picture.setAttribute("src", picture.dataset["remoteSrc"] ?? "");
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
  }, [html, withPictures, loaded]);

  return (
    <iframe
      ref={frame}
      title="What the message says"
      className="message-frame"
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      src={`${PREFIX}/${withPictures ? "message-with-pictures" : "message"}`}
      style={{ height }}
      onLoad={() => setLoaded((times) => times + 1)}
    />
  );
};
