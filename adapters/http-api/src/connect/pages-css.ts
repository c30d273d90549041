/** The styles of the connect pages. */
export const PAGES_CSS = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 26rem; margin: 12vh auto; padding: 0 1.25rem; }
h1 { font-size: 1.375rem; line-height: 1.25; }
label { display: block; margin-bottom: 1rem; }
input { box-sizing: border-box; width: 100%; padding: 0.625rem; font: inherit; border: 1px solid GrayText; border-radius: 0.375rem; }
button { width: 100%; margin-bottom: 0.75rem; padding: 0.625rem; font: inherit; font-weight: 600; color: #fff; background: #1d4ed8; border: 0; border-radius: 0.375rem; cursor: pointer; }
button.other { color: inherit; background: none; border: 1px solid GrayText; }
:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
`;
