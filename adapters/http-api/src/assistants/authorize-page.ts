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
import { choiceForm, consentFrame, DECLINE, signInForm } from "./consent-forms.ts";
import { parametersOf } from "./parameters.ts";

const TITLE = "Allow access to your mailbox";

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

  const refusal = (text: string, status = 400) => page(prefix, "Access cannot be given", html`<p>${text}</p>`, status);

  /** Redirects to the client, with the issuer, so that it cannot take the answer for that of another server (RFC 9207). */
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

  /** Other sites cannot sign the browser in, nor allow anything in a person's name. */
  const isOwnForm = ({ headers }: HttpServerRequest.HttpServerRequest) =>
    headers["sec-fetch-site"] === "same-origin" || headers["origin"] === origin;

  const show = (asker: AskingAssistant, action: string, form: ReturnType<typeof signInForm>, status = 200) =>
    page(prefix, TITLE, consentFrame(asker, operatorName, action, form), status);

  const signInBy = Effect.fnUntraced(function* (
    asker: AskingAssistant,
    action: string,
    email: string,
    password: string,
  ) {
    if (sessionCookie === undefined) return refusal("Browsers can sign in to this service only over HTTPS.", 403);
    return yield* Effect.match(signIn.forBrowser(email, Redacted.make(password), yield* client), {
      onSuccess: ({ cookie }) => withCookie(leadTo(action), sessionCookie, cookie, Duration.toSeconds(COOKIE_LIFETIME)),
      onFailure: (error) => {
        const { status, text } = failurePage(error);
        return show(asker, action, signInForm(action, email, text), status);
      },
    });
  });

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest;
    const query = new URL(request.url, origin).search;
    const action = `${prefix}/oauth/authorize${query}`;
    const parameters = parametersOf(query);
    if (parameters === undefined) return refusal("The request names a parameter twice.");
    const asking = yield* Effect.result(assistants.askerOf(parameters));
    if (asking._tag === "Failure") {
      const { failure } = asking;
      yield* Effect.logInfo("a request for authorization was rejected", { reason: failure._tag });
      return failure._tag === "ClientRejected"
        ? refusal(`The assistant that sent you here cannot be identified: ${failure.reason}.`)
        : refusal("The service cannot answer now. Try again in a moment.", 503);
    }
    const asker = asking.success;
    const { state } = parameters;
    const checked = yield* Effect.result(assistants.check(parameters));
    if (checked._tag === "Failure") {
      const { error, description } = checked.failure;
      return leadBack(asker.redirectUri, state, { error, error_description: description });
    }
    const isPost = request.method === "POST";
    if (isPost && !isOwnForm(request)) return refusal("This form was not sent from this page.", 403);
    const form = new URLSearchParams(isPost ? yield* Effect.orElseSucceed(request.text, () => "") : "");
    if (form.has(DECLINE)) {
      return leadBack(asker.redirectUri, state, { error: "access_denied", error_description: "The person refused" });
    }
    const password = form.get("password");
    if (password !== null) return yield* signInBy(asker, action, form.get("email") ?? "", password);
    const account = yield* signedIn;
    if (account === undefined) return show(asker, action, signInForm(action, "", null));
    const level = form.get("level") ?? "";
    const choose = (suggested: AccessLevel, fault: string | null = null) =>
      show(asker, action, choiceForm(action, account, suggested, fault), fault === null ? 200 : 400);
    if (!isAccessLevel(level)) return choose(checked.success.suggested);
    const named = (form.get("to") ?? "").split(/[\s,;]+/).filter((one) => one !== "");
    const choice = { level, sendsTo: form.has("send") ? named : null };
    const approved = yield* Effect.result(assistants.approve(account, asker, checked.success, choice));
    if (approved._tag === "Failure") {
      return approved.failure._tag === "InputInvalid"
        ? choose(level, "Write one address or @domain a line, at most 100.")
        : refusal("The service cannot answer now. Try again in a moment.", 503);
    }
    return leadBack(asker.redirectUri, state, { code: approved.success });
  });
});
