import { type AccessLevel, type AskingAssistant, AssistantSignIn, isAccessLevel } from "@postern/core/assistants";
import { COOKIE_LIFETIME } from "@postern/core/auth";
import { SignIn } from "@postern/core/lifecycle";
import { OAuthSettings } from "@postern/core/oauth";
import { Duration, Effect, Option, Redacted } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";
import { credentialReader } from "../auth/current-principal.ts";
import { failurePage } from "../connect/connect-failure.ts";
import { html, page } from "../connect/html.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { withCookie } from "../edge/session-cookie.ts";
import { sessionClient } from "../wire/request-client.ts";
import { acceptedLanguage, type PageTongue } from "../wire/accepted-language.ts";
import { CONSENT_TEXTS } from "./consent-texts.ts";
import { choiceForm, consentFrame, DECLINE, signInForm } from "./consent-forms.ts";
import { parametersOf } from "./parameters.ts";

/**
 * The page on which a person signs in to a mailbox and chooses what an assistant may do, without script (spec 13.3). Each
 * step checks the whole request again, which is in the page's address, so nothing is kept between the steps.
 */
export const authorizePage = Effect.gen(function* () {
  const { origin, prefix, sessionCookie, trustedProxies } = yield* PublicAddress;
  const { operatorName } = yield* OAuthSettings;
  const assistants = yield* AssistantSignIn;
  const signIn = yield* SignIn;
  const readCredential = yield* credentialReader;
  const client = sessionClient(trustedProxies);

  const leadTo = (url: string) => HttpServerResponse.redirect(url, { status: 303 });

  const tongueOf = ({ headers }: HttpServerRequest.HttpServerRequest) => acceptedLanguage(headers["accept-language"]);

  const refuserIn = (tongue: PageTongue) => (text: string, status?: number) =>
    page(prefix, CONSENT_TEXTS[tongue.lang].refused, html`<p>${text}</p>`, status ?? 400, { ...tongue, colour: null });

  /**
   * Redirects to the client and names the issuer, so that the client cannot confuse this answer with that of another
   * server (RFC 9207).
   */
  const leadBack = (redirectUri: string, state: string | undefined, result: Readonly<Record<string, string>>) => {
    const url = new URL(redirectUri);
    const all = { ...result, ...(state === undefined ? {} : { state }), iss: assistants.issuer };
    for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
    return leadTo(url.href);
  };

  /** Returns the account of the browser's session, or of the host's; undefined without one. */
  const signedIn = Effect.gen(function* () {
    const credential = Option.getOrUndefined(yield* Effect.option(readCredential("")));
    return credential?._tag === "Session" ? credential.account : undefined;
  });

  /**
   * Returns whether a form comes from this site. Other sites can neither sign the browser in nor consent in a person's
   * name.
   */
  const isOwnForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
    headers["sec-fetch-site"] === "same-origin" || headers["origin"] === origin;

  const showerIn =
    (tongue: PageTongue) =>
    (asker: AskingAssistant, action: string, form: ReturnType<typeof signInForm>, status = 200) => {
      const texts = CONSENT_TEXTS[tongue.lang];
      const body = consentFrame(texts, asker, operatorName, action, form);
      return page(prefix, texts.title, body, status, { ...tongue, colour: null });
    };

  const signInBy = Effect.fnUntraced(function* (
    tongue: PageTongue,
    asker: AskingAssistant,
    action: string,
    email: string,
    password: string,
  ) {
    const texts = CONSENT_TEXTS[tongue.lang];
    if (sessionCookie === undefined) return refuserIn(tongue)(texts.httpsOnly, 403);
    return yield* Effect.match(signIn.forBrowser(email, Redacted.make(password), yield* client), {
      onSuccess: ({ cookie }) => withCookie(leadTo(action), sessionCookie, cookie, Duration.toSeconds(COOKIE_LIFETIME)),
      onFailure: (error) => {
        const { status, text } = failurePage(error, tongue.lang);
        return showerIn(tongue)(asker, action, signInForm(texts, action, email, text), status);
      },
    });
  });

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const tongue = tongueOf(request);
    const texts = CONSENT_TEXTS[tongue.lang];
    const [refusal, show] = [refuserIn(tongue), showerIn(tongue)];
    const query = new URL(request.url, origin).search;
    const action = `${prefix}/oauth/authorize${query}`;
    const parameters = parametersOf(query);
    if (parameters === undefined) return refusal(texts.twice);
    const asking = yield* Effect.result(assistants.askerOf(parameters));
    if (asking._tag === "Failure") {
      const { failure } = asking;
      yield* Effect.logInfo("a request for authorization was rejected", { reason: failure._tag });
      if (failure._tag !== "ClientRejected") return refusal(texts.unavailable, 503);
      const { reason, detail } = failure;
      const fault = texts.clientFaults[reason];
      return refusal(texts.unknownClient(detail === undefined ? fault : `${fault} (${detail})`));
    }
    const asker = asking.success;
    const { state } = parameters;
    const checked = yield* Effect.result(assistants.check(parameters));
    if (checked._tag === "Failure") {
      const { error, description } = checked.failure;
      return leadBack(asker.redirectUri, state, { error, error_description: description });
    }
    const isPost = request.method === "POST";
    if (isPost && !isOwnForm(request)) return refusal(texts.otherPage, 403);
    const form = new URLSearchParams(isPost ? yield* Effect.orElseSucceed(request.text, () => "") : "");
    if (form.has(DECLINE)) {
      return leadBack(asker.redirectUri, state, { error: "access_denied", error_description: "The person refused" });
    }
    const password = form.get("password");
    if (password !== null) return yield* signInBy(tongue, asker, action, form.get("email") ?? "", password);
    const account = yield* signedIn;
    if (account === undefined) return show(asker, action, signInForm(texts, action, "", null));
    const level = form.get("level") ?? "";
    const choose = (suggested: AccessLevel, fault: string | null = null) =>
      show(asker, action, choiceForm(texts, action, account, suggested, fault), fault === null ? 200 : 400);
    if (!isAccessLevel(level)) return choose(checked.success.suggested);
    const named = (form.get("to") ?? "").split(/[\s,;]+/).filter((one) => one !== "");
    const choice = { level, sendsTo: form.has("send") ? named : null };
    const approved = yield* Effect.result(assistants.approve(account, asker, checked.success, choice));
    if (approved._tag === "Failure") {
      return approved.failure._tag === "InputInvalid"
        ? choose(level, texts.malformed)
        : refusal(texts.unavailable, 503);
    }
    return leadBack(asker.redirectUri, state, { code: approved.success });
  });
});
