/** The styles of the connect pages, with the console's colours and sizes. */
export const PAGES_CSS = `:root {
  color-scheme: light dark; font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif;
  --ground: light-dark(#ebefec, #0f1413); --raised: light-dark(#ffffff, #1d2422); --line: light-dark(#d5dcd8, #2b3431);
  --edge: light-dark(#74817b, #74827c); --ink: light-dark(#14201b, #e9efec); --soft: light-dark(#47554f, #a8b5af);
  --accent: light-dark(#0c5c4f, #74d3be); --on-accent: light-dark(#ffffff, #05231d);
  --danger: light-dark(#9c2218, #ff9f92);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); }
main { max-width: 27rem; margin: clamp(0rem, 8vh, 5rem) auto; padding: 1.5rem; background: var(--raised); border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; }
header { display: flex; gap: 0.75rem; align-items: start; margin-bottom: 1rem; }
header p { margin: 0; }
header img { flex: none; border-radius: 6px; }
.who { font-weight: 600; }
label { display: block; margin-bottom: 0.75rem; font-weight: 600; }
input, textarea { width: 100%; min-height: 44px; margin-top: 0.25rem; padding: 0.5rem 0.625rem; font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--edge); border-radius: 6px; }
textarea { box-sizing: border-box; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
.choice { display: flex; gap: 0.5rem; align-items: baseline; }
.choice input { width: auto; min-height: 0; margin: 0; }
input[aria-invalid] { border: 2px solid var(--danger); }
.fault { margin: 0 0 0.75rem; color: var(--danger); font-weight: 600; }
button { width: 100%; min-height: 44px; margin-bottom: 0.75rem; padding: 0.5rem 0.625rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent); border: 1px solid var(--edge); border-radius: 6px; cursor: pointer; }
button.other { color: inherit; background: none; }
section { margin: 1rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
section, .note { color: var(--soft); font-size: 0.9375rem; }
section p { margin: 0 0 0.5rem; }
ul { margin: 0 0 0.75rem; padding-inline-start: 1.25rem; }
a { color: inherit; }
:focus-visible { outline: 3px solid #60a5fa; outline-offset: 2px; }
`;
