const MIN_HEIGHT = 80;
/** The scale below which letters are too small to read, so that texts are wrapped instead. */
const MIN_LEGIBLE_ZOOM = 0.6;
/** The width of a frame on paper: less than that of A4 and Letter between the margins of browsers. */
const PAPER_WIDTH = 680;

const zoomOf = ({ clientWidth, scrollWidth }: HTMLElement): number => clientWidth / scrollWidth;

/** Fits a frame to its page: wraps and then scales content that is too wide, and makes the frame as high as the page. */
const fit = (frame: HTMLIFrameElement, { body, documentElement: root }: Document): void => {
  body.style.removeProperty("zoom");
  delete root.dataset["wrapped"];
  if (zoomOf(root) < MIN_LEGIBLE_ZOOM) root.dataset["wrapped"] = "";
  const zoom = zoomOf(root);
  if (zoom < 0.995) body.style.setProperty("zoom", String(zoom));
  frame.style.height = `${Math.max(MIN_HEIGHT, Math.ceil(body.getBoundingClientRect().height))}px`;
};

/**
 * Fits a frame to its page: now, whenever either changes its size, and for paper. Returns a function that stops this.
 */
export const keepFitting = (frame: HTMLIFrameElement, page: Document): (() => void) => {
  const measure = (): void => fit(frame, page);
  const measureOnPaper = (): void => {
    frame.style.width = `${PAPER_WIDTH}px`;
    measure();
  };
  const measureOnScreen = (): void => {
    frame.style.removeProperty("width");
    measure();
  };
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(page.body);
  observer.observe(frame);
  window.addEventListener("beforeprint", measureOnPaper);
  window.addEventListener("afterprint", measureOnScreen);
  return () => {
    observer.disconnect();
    window.removeEventListener("beforeprint", measureOnPaper);
    window.removeEventListener("afterprint", measureOnScreen);
  };
};
