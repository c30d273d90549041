import type { AccessLevel, AskingAssistant } from "@postern/core/assistants";
import { html, type Html } from "../connect/html.ts";
import type { ConsentTexts } from "./consent-texts.ts";

/** The hidden field of the form with which a person refuses. */
export const DECLINE = "decline";

const LEVELS: ReadonlyArray<AccessLevel> = ["read", "draft", "organize"];

/** Returns the sentences that name the requesting client. Only the client's host is verified. */
const askerLines = (
  texts: ConsentTexts,
  { client: { name, source }, host, redirectUri, isOnThisMachine }: AskingAssistant,
): Html => {
  const said = source === "operator" ? texts.calledByOperator(name) : texts.callsItself(name);
  const who = host ?? (source === "operator" ? name : texts.unverified);
  return html`
    <header>
      <div>
        <p class="who">${texts.wants(who)}</p>
        <p>${said}</p>
      </div>
    </header>
    <p>${isOnThisMachine ? texts.toThisComputer : texts.goesTo(new URL(redirectUri).host)}</p>
  `;
};

/** Returns a page with a form between the sentences about the client and the button to refuse. */
export const consentFrame = (
  texts: ConsentTexts,
  asker: AskingAssistant,
  operator: string | null,
  action: string,
  form: Html,
): Html => html`
  ${askerLines(texts, asker)} ${form}
  <section>
    <p>${texts.lasts}</p>
    ${operator === null ? [] : [html`<p>${texts.operated(operator)}</p>`]}
  </section>
  <form method="post" action="${action}">
    <button name="${DECLINE}" value="yes" class="other" formnovalidate>${texts.no}</button>
  </form>
`;

const FAULTY = html` aria-invalid="true" aria-describedby="fault"`;

/** Returns the form in which a person signs in to the mailbox. */
export const signInForm = (texts: ConsentTexts, action: string, email: string, fault: string | null): Html => html`
  <form method="post" action="${action}">
    <p>${texts.signInFirst}</p>
    <label
      >${texts.email}<input type="email" name="email" value="${email}" required autocomplete="email" autofocus
    /></label>
    <label
      >${texts.password}<input
        type="password"
        name="password"
        required
        autocomplete="current-password"
        ${fault === null ? [] : [FAULTY]}
    /></label>
    ${fault === null ? [] : [html`<p id="fault" class="fault" role="alert">${fault}</p>`]}
    <button>${texts.signIn}</button>
    <p class="note">${texts.noPassword}</p>
  </form>
`;

/** Returns the form in which a person chooses what the assistant may do. */
export const choiceForm = (
  texts: ConsentTexts,
  action: string,
  account: string,
  suggested: AccessLevel,
  fault: string | null,
): Html => html`
  <form method="post" action="${action}">
    <fieldset>
      <legend>${texts.mayDo(account)}</legend>
      ${LEVELS.map(
        (level) => html`
          <label class="choice"
            ><input type="radio" name="level" value="${level}" ${level === suggested ? [html` checked`] : []} /><span
              ><strong>${texts.levels[level][0]}</strong>: ${texts.levels[level][1]}</span
            ></label
          >
        `,
      )}
    </fieldset>
    <fieldset>
      <legend>${texts.sending}</legend>
      <label class="choice"
        ><input type="checkbox" name="send" value="yes" /><span
          ><strong>${texts.sendsToNamed}</strong>: ${texts.othersAsk}</span
        ></label
      >
      <label>${texts.addresses}<textarea name="to" rows="3" spellcheck="false"></textarea></label>
      ${fault === null ? [] : [html`<p id="fault" class="fault" role="alert">${fault}</p>`]}
      <p class="note">${texts.withoutNames}</p>
    </fieldset>
    <button>${texts.allow}</button>
  </form>
`;
