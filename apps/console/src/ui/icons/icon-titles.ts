/** Shows the accessible name of a button or link that is only an icon as its tooltip, as it is when the pointer comes. */
export const showIconTitles = (): void =>
  document.addEventListener("pointerover", ({ target }) => {
    const named = target instanceof Element ? target.closest<HTMLElement>(".icon[aria-label]") : null;
    if (named !== null) named.title = named.ariaLabel ?? "";
  });
