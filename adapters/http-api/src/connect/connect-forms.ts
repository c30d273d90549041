import { labelOf } from "@postern/core/oauth";
import type { AppChoice } from "./app-choice.ts";
import type { FailurePage } from "./connect-failure.ts";
import { html, type Html } from "./html.ts";

/** Returns the form that asks for an address. */
export const addressForm = (action: string): Html => html`
  <p>Which mailbox do you want to connect?</p>
  <form method="post" action="${action}">
    <label>E-mail address<input type="email" name="email" required autocomplete="email" autofocus /></label>
    <button>Continue</button>
  </form>
`;

/** Returns the form that asks for a password, with the providers that may be used in its place. */
export const passwordForm = (
  action: string,
  email: string,
  { others, takesPassword, helpPage }: AppChoice,
): Html => html`
  ${others.map(
    (app) => html`
      <form method="post" action="${action}">
        <input type="hidden" name="email" value="${email}" />
        <button name="app" value="${app.id}" class="other">Continue with ${labelOf(app)}</button>
      </form>
    `,
  )}
  ${takesPassword ? [passwordFields(action, email, helpPage)] : []}
`;

const passwordFields = (action: string, email: string, helpPage: string | null): Html => html`
  <form method="post" action="${action}">
    <p>${email}</p>
    <input type="hidden" name="email" value="${email}" />
    <label>Password<input type="password" name="password" required autocomplete="current-password" /></label>
    ${helpPage === null ? [] : [html`<p>This provider wants an <a href="${helpPage}" rel="noreferrer">app password</a>.</p>`]}
    <button>Connect</button>
  </form>
`;

/** Returns what a person reads of a failure, with the ways on. */
export const failureBody = (
  { text }: FailurePage,
  ways: { readonly again?: string; readonly back?: string },
): Html => html`
  <p>${text}</p>
  ${ways.again === undefined ? [] : [html`<p><a href="${ways.again}">Try again</a></p>`]}
  ${ways.back === undefined ? [] : [html`<p><a href="${ways.back}">Go back</a></p>`]}
`;
