/** Runs work after the next frame is on the screen, so that the visible response to a key does not wait for it. */
export const afterPaint = (work: () => void): void => {
  // A hidden page paints no frames.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
};
