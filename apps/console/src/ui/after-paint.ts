/** Runs work after the next frame is on the screen, so that what a key shows does not wait for it. */
export const afterPaint = (work: () => void): void => {
  // A hidden page paints no frames.
  if (document.hidden) setTimeout(work);
  else requestAnimationFrame(() => setTimeout(work));
};
