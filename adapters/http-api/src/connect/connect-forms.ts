import { labelOf } from "@postern/core/oauth";
import type { AppChoice } from "./app-choice.ts";
import type { ConnectTexts } from "./connect-texts.ts";
import type { FailurePage } from "./connect-failure.ts";
import { html, type Html } from "./html.ts";

/** The attributes of a form field with a fault, and the message about the fault. */
const FAULTY = html` aria-invalid="true" aria-describedby="fault"`;
const faultOf = (fault: string | null): ReadonlyArray<Html> =>
  fault === null ? [] : [html`<p id="fault" class="fault" role="alert">${fault}</p>`];

/** Returns the form that asks for an address. */
export const addressForm = (texts: ConnectTexts, action: string, email = "", fault: string | null = null): Html => html`
  <form method="post" action="${action}">
    <p>${texts.whichMailbox}</p>
    <label
      >${texts.email}<input
        type="email"
        name="email"
        value="${email}"
        required
        autocomplete="email"
        autofocus${fault === null ? [] : [FAULTY]}
    /></label>
    ${faultOf(fault)}
    <button>${texts.next}</button>
  </form>
`;

/** Returns the form that asks for a password, with the providers that may be used in its place. */
export const passwordForm = (
  texts: ConnectTexts,
  action: string,
  email: string,
  choice: AppChoice,
  fault: string | null = null,
): Html => html`
  ${choice.takesPassword ? [passwordFields(texts, action, email, choice, fault)] : faultOf(fault)}
  ${choice.others.map(
    (app) => html`
      <form method="post" action="${action}">
        <input type="hidden" name="email" value="${email}" />
        <button name="app" value="${app.id}" class="other">${texts.continueWith(labelOf(app))}</button>
      </form>
    `,
  )}
`;

const passwordFields = (
  texts: ConnectTexts,
  action: string,
  email: string,
  { provider, helpPage, hosts }: AppChoice,
  fault: string | null,
): Html => html`
  <form method="post" action="${action}">
    <p><strong>${email}</strong></p>
    <input type="hidden" name="email" value="${email}" />
    ${
      helpPage === null
        ? []
        : [
            html`<p>
              ${texts.appPassword(provider ?? hosts[0] ?? "")}
              <a href="${helpPage}" rel="noreferrer" target="_blank">${texts.howTo}</a>
            </p>`,
          ]
    }
    <label
      >${texts.password}<input
        type="password"
        name="password"
        required
        autocomplete="current-password"
        autofocus${fault === null ? [] : [FAULTY]}
    /></label>
    ${faultOf(fault)}
    <button>${texts.connect}</button>
    <p class="note">${texts.signsInAt(hosts.join(", "))}</p>
  </form>
`;

/** Returns the text of a failure for a person, with links to continue. */
export const failureBody = (
  texts: ConnectTexts,
  { text }: FailurePage,
  ways: { readonly again?: string; readonly back?: string },
): Html => html`
  <p>${text}</p>
  ${ways.again === undefined ? [] : [html`<p><a href="${ways.again}">${texts.again}</a></p>`]}
  ${ways.back === undefined ? [] : [html`<p><a href="${ways.back}">${texts.back}</a></p>`]}
`;
