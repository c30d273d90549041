import type { ConnectLinks } from "@postern/core/oauth";
import type { Effect } from "effect";
import type { ConnectTexts } from "./connect-texts.ts";
import { html, type Html } from "./html.ts";

/** The application, or the operator's site, that requests a connection. */
type Asker = Effect.Success<ReturnType<ConnectLinks["Service"]["askerOf"]>>;

/** The hidden field of the form with which a user declines. */
export const DECLINE = "decline";

/** Returns a page with its contents between the request (who asks for which access) and the button to decline. */
export const connectFrame = (
  texts: ConnectTexts,
  { name, purpose, logo, scopes }: Asker,
  operator: string | null,
  action: string,
  body: Html,
): Html => {
  const abilities = Object.entries(texts.scopes).filter(([scope]) => scopes.some((one) => one === scope));
  return html`
    <header>
      ${logo === null ? [] : [html`<img src="data:image/png;base64,${logo}" alt="" width="48" height="48" />`]}
      <div>
        <p class="who">${texts.wants(name)}</p>
        ${purpose === null ? [] : [html`<p>${purpose}</p>`]}
      </div>
    </header>
    ${body}
    <section>
      ${
        abilities.length === 0
          ? []
          : [
              html`<p>${texts.mayDo}</p>
                <ul>
                  ${abilities.map(([, text]) => html`<li>${text}</li>`)}
                </ul>`,
            ]
      }
      <p>${texts.lasts(name)}</p>
      ${operator === null ? [] : [html`<p>${texts.operated(operator)}</p>`]}
    </section>
    <form method="post" action="${action}">
      <button name="${DECLINE}" value="yes" class="other" formnovalidate>${texts.no}</button>
    </form>
  `;
};
