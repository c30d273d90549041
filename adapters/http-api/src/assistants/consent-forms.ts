import { hostOfDocument, isLoopbackUri, type AccessLevel, type AskingAssistant } from "@postern/core/assistants";
import { html, type Html } from "../connect/html.ts";

/** The hidden field of the form with which a person refuses. */
export const DECLINE = "decline";

/** The access levels, as a person reads them. */
const LEVELS: ReadonlyArray<readonly [AccessLevel, string, string]> = [
  ["read", "Read", "messages, folders and files"],
  ["draft", "Read and draft", "also write drafts, which you send yourself"],
  ["organize", "Read, draft and organize", "also mark, label and move messages, and put them into Trash"],
];

/** Returns the sentences that say who asks, of which only the host is verified. */
const askerLines = ({ client: { id, name, source }, redirectUri }: AskingAssistant): Html => {
  const host = source === "document" ? hostOfDocument(id) : null;
  const said = source === "operator" ? "The operator of this mail service calls it" : "It calls itself";
  const who = host ?? (source === "operator" ? name : "An unverified assistant");
  return html`
    <header>
      <div>
        <p class="who">${who} asks to use your mailbox.</p>
        <p>${said} “${name}”.</p>
      </div>
    </header>
    <p>
      ${
        isLoopbackUri(redirectUri)
          ? "The access goes to a program on this computer. Allow it only if you have just started it yourself."
          : `The access goes to ${new URL(redirectUri).host}.`
      }
    </p>
  `;
};

/** Returns a page with its form between who asks and the button to refuse. */
export const consentFrame = (asker: AskingAssistant, operator: string | null, action: string, form: Html): Html => html`
  ${askerLines(asker)} ${form}
  <section>
    <p>What an assistant reads, its provider reads. The access lasts until you end it, or for 30 days without use.</p>
    ${operator === null ? [] : [html`<p>This mail service is operated by ${operator}.</p>`]}
  </section>
  <form method="post" action="${action}">
    <button name="${DECLINE}" value="yes" class="other" formnovalidate>No, go back</button>
  </form>
`;

const FAULTY = html` aria-invalid="true" aria-describedby="fault"`;

/** Returns the form in which a person signs in to the mailbox. */
export const signInForm = (action: string, email: string, fault: string | null): Html => html`
  <form method="post" action="${action}">
    <p>Sign in to the mailbox first.</p>
    <label
      >E-mail address<input type="email" name="email" value="${email}" required autocomplete="email" autofocus
    /></label>
    <label
      >Password<input
        type="password"
        name="password"
        required
        autocomplete="current-password"
        ${fault === null ? [] : [FAULTY]}
    /></label>
    ${fault === null ? [] : [html`<p id="fault" class="fault" role="alert">${fault}</p>`]}
    <button>Sign in</button>
    <p class="note">If your mailbox has no password here, sign in on this service first, and open this page again.</p>
  </form>
`;

/** Returns the form in which a person chooses what the assistant may do. */
export const choiceForm = (action: string, account: string, suggested: AccessLevel, fault: string | null): Html => html`
  <form method="post" action="${action}">
    <fieldset>
      <legend>In the mailbox ${account} it may</legend>
      ${LEVELS.map(
        ([level, label, more]) => html`
          <label class="choice"
            ><input type="radio" name="level" value="${level}" ${level === suggested ? [html` checked`] : []} /><span
              ><strong>${label}</strong>: ${more}</span
            ></label
          >
        `,
      )}
    </fieldset>
    <fieldset>
      <legend>Sending</legend>
      <label class="choice"
        ><input type="checkbox" name="send" value="yes" /><span
          ><strong>Send to people I name</strong>: others need my approval</span
        ></label
      >
      <label>Addresses or @domains, one a line<textarea name="to" rows="3" spellcheck="false"></textarea></label>
      ${fault === null ? [] : [html`<p id="fault" class="fault" role="alert">${fault}</p>`]}
      <p class="note">Without names, every sending asks for your approval.</p>
    </fieldset>
    <button>Allow</button>
  </form>
`;
