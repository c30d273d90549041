/**
 * Shows the accessible name of an icon-only button or link as its tooltip, with the name at the moment when the pointer
 * enters.
 */
export const showIconTitles = (): void =>
  document.addEventListener("pointerover", ({ target }) => {
    const named = target instanceof Element ? target.closest<HTMLElement>(".icon[aria-label]") : null;
    if (named !== null) named.title = named.ariaLabel ?? "";
  });
