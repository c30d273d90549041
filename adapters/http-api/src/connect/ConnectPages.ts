import { type Account, Discovery, domainOf } from "@postern/core/accounts";
import { AddressMalformed, COOKIE_LIFETIME, Fingerprints } from "@postern/core/auth";
import { AccountConnection, SignIn } from "@postern/core/lifecycle";
import {
  Apps,
  type ConnectLink,
  ConnectLinks,
  type Consent,
  ConsentExpired,
  Consents,
  OAuthSettings,
} from "@postern/core/oauth";
import { accountIdOf, Entropy, OpaqueIds } from "@postern/core/shared";
import { Duration, Effect, Option, Redacted } from "effect";
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { sessionClient } from "../wire/request-client.ts";
import { accountCookie, withCookie } from "../edge/session-cookie.ts";
import { appChoice } from "./app-choice.ts";
import { type ConnectFailure, failurePage } from "./connect-failure.ts";
import { addressForm, failureBody, passwordForm } from "./connect-forms.ts";
import { connectFrame, DECLINE } from "./connect-frame.ts";
import { acceptedLanguage } from "../wire/accepted-language.ts";
import { connectTexts } from "./connect-texts.ts";
import { consentCookie, setConsentCookie } from "./consent-cookie.ts";
import { type Html, page } from "./html.ts";
import { PAGES_CSS } from "./pages-css.ts";

/** The paths of the pages, which are outside the contract. */
export const CONNECT_PAGES = [
  { method: "GET", path: "/connect/:secret" },
  { method: "POST", path: "/connect/:secret" },
  { method: "GET", path: "/oauth/sign-in/:app" },
  { method: "GET", path: "/oauth/callback" },
  { method: "GET", path: "/oauth/pages.css" },
] as const;

/** Tells the console that the cookie is set, because its scripts cannot see the cookie. */
const SIGNED_IN = "#signed-in";

/** The pages on which users connect accounts and consent, in plain HTML without script (spec 11.3). */
export const ConnectPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const address = yield* PublicAddress;
    const { origin, prefix, sessionCookie, trustedProxies } = address;
    const { operatorName } = yield* OAuthSettings;
    const links = yield* ConnectLinks;
    const consents = yield* Consents;
    const apps = yield* Apps;
    const discovery = yield* Discovery;
    const connection = yield* AccountConnection;
    const signIn = yield* SignIn;
    const entropy = yield* Entropy;
    const ids = yield* OpaqueIds;
    const fingerprints = yield* Fingerprints;
    const client = sessionClient(trustedProxies);

    const formOf = (secret: string) => `${prefix}/connect/${secret}`;

    /** Returns the URL at which an application gets the result. */
    const resultUrl = ({ redirectUrl, state }: ConnectLink, result: Readonly<Record<string, string>>): string => {
      const url = new URL(redirectUrl);
      for (const [name, value] of Object.entries({ ...result, ...(state === null ? {} : { state }) })) {
        url.searchParams.set(name, value);
      }
      return url.href;
    };

    const leadTo = (url: string) => HttpServerResponse.redirect(url, { status: 303 });

    const tongue = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
      acceptedLanguage(headers["accept-language"]),
    );

    /** Returns the texts in the language of the browser. */
    const texts = Effect.map(tongue, ({ lang }) => connectTexts(lang));

    /** Shows a form below the name of the requesting application, with a button to decline. */
    const framed = Effect.fnUntraced(function* (link: ConnectLink, secret: string, form: Html, status = 200) {
      const asker = yield* links.askerOf(link);
      const said = yield* texts;
      const style = { ...(yield* tongue), colour: asker.colour };
      return page(prefix, said.title, connectFrame(said, asker, operatorName, formOf(secret), form), status, style);
    });

    /** Shows a failure to the user; redirects a user who declined to the application. */
    const failed = Effect.fnUntraced(function* (error: ConnectFailure, secret: string | null) {
      const spoken = yield* tongue;
      const shown = failurePage(error, spoken.lang);
      yield* Effect.logInfo("a connection failed", { reason: error._tag });
      const link = secret === null ? Option.none() : yield* Effect.option(links.find(secret));
      const back = Option.match(link, {
        onNone: () => (secret === null ? `${prefix}/` : undefined),
        onSome: (found) => resultUrl(found, { error: shown.code }),
      });
      if (error._tag === "ConsentDenied" && Option.isSome(link)) return leadTo(back!);
      const again = Option.isSome(link) ? formOf(secret!) : undefined;
      const ways = { ...(again === undefined ? {} : { again }), ...(back === undefined ? {} : { back }) };
      return page(prefix, shown.title, failureBody(yield* texts, shown, ways), shown.status, {
        ...spoken,
        colour: null,
      });
    });

    /** Redirects the browser to the provider. */
    const consent = Effect.fnUntraced(function* (app: string, email: string | null, secret: string | null) {
      const browser = Redacted.make(yield* entropy.id(256));
      const { network } = yield* client;
      const link = secret === null ? null : Redacted.make(secret);
      const { url, state } = yield* consents.begin({ app, address: email, link, browser, network });
      return HttpServerResponse.setHeader(leadTo(url), "set-cookie", setConsentCookie(address, state, browser));
    });

    const connected = (link: ConnectLink, account: Account) =>
      leadTo(resultUrl(link, { account: ids.accountId(account.id) }));

    const show = Effect.fnUntraced(function* (secret: string) {
      const link = yield* links.find(secret);
      const { address: email, app } = link.request;
      if (email !== null) return yield* choose(link, secret, email, app);
      return yield* framed(link, secret, addressForm(yield* texts, formOf(secret)));
    });

    /**
     * Finds out how an address signs in, and shows the form for that. Asks for no password if the server is only a
     * guess.
     */
    const choose = Effect.fnUntraced(function* (
      link: ConnectLink,
      secret: string,
      email: string,
      app: string | null,
      fault: string | null = null,
    ) {
      if (app !== null) return yield* consent(app, email, secret);
      const said = yield* texts;
      const account = accountIdOf(email);
      const again = (told: string) => framed(link, secret, addressForm(said, formOf(secret), email, told), 400);
      if (Option.isNone(account)) return yield* again(said.malformed);
      const [best] = yield* discovery.of(account.value);
      if (best.source === "guess") return yield* again(said.noServer(domainOf(account.value)));
      const all = yield* apps.list;
      const choice = appChoice(
        all.map(({ app }) => app),
        account.value,
        best,
      );
      if (choice.only !== null) return yield* consent(choice.only.id, email, secret);
      if (!choice.takesPassword && choice.others.length === 0) return yield* failed({ _tag: "AppMissing" }, secret);
      const form = passwordForm(said, formOf(secret), email, choice, fault);
      return yield* framed(link, secret, form, fault === null ? 200 : 403);
    });

    const submit = Effect.fnUntraced(function* (secret: string) {
      const link = yield* links.find(secret);
      const form = new URLSearchParams(
        yield* Effect.orElseSucceed((yield* HttpServerRequest.HttpServerRequest).text, () => ""),
      );
      if (form.has(DECLINE)) {
        yield* links.close(secret);
        return leadTo(resultUrl(link, { error: "access_denied" }));
      }
      const email = link.request.address ?? form.get("email") ?? "";
      const password = form.get("password");
      if (password !== null && link.request.app === null) {
        const { network } = yield* client;
        const made = connection.byPassword(link.request, email, Redacted.make(password), network, links.close(secret));
        // Every refusal gets the same answer, which does not tell whether the address or the password is wrong.
        return yield* Effect.matchEffect(made, {
          onSuccess: (account) => Effect.succeed(connected(link, account)),
          onFailure: Effect.fnUntraced(function* (error) {
            if (error._tag === "LinkExpired") return yield* error;
            const { status, text } = failurePage(error, (yield* tongue).lang);
            yield* Effect.logInfo("a connection failed", { reason: error._tag });
            return yield* choose(link, secret, email, null, status === 403 ? (yield* texts).refused : text);
          }),
        });
      }
      return yield* choose(link, secret, email, link.request.app ?? form.get("app"));
    });

    /** Finishes a consent: connects the account of a link, or signs the browser in. */
    const finish = Effect.fnUntraced(function* (begun: Consent, state: string, callbackUrl: Redacted.Redacted) {
      const secret = begun.link === null ? null : Redacted.value(begun.link);
      const link = secret === null ? null : yield* links.find(secret);
      const offered = yield* consents.finish(begun, state, callbackUrl);
      const email = begun.address ?? offered.issued?.identity?.address ?? "";
      if (link !== null && secret !== null) {
        return connected(link, yield* connection.byGrant(link.request, email, offered, links.close(secret)));
      }
      const { cookie, session } = yield* signIn.withGrant(email, offered, yield* client);
      const own = accountCookie(sessionCookie!, fingerprints.ofAccount(session.account));
      // A browser with several accounts names the account in its requests. A browser with a single account may omit the
      // name.
      return [sessionCookie!, own].reduce(
        (response, one) => withCookie(response, one, cookie, Duration.toSeconds(COOKIE_LIFETIME)),
        leadTo(`${prefix}/${SIGNED_IN}`),
      );
    });

    const called = Effect.gen(function* () {
      const { url } = yield* HttpServerRequest.HttpServerRequest;
      const callbackUrl = new URL(url, origin);
      const state = callbackUrl.searchParams.get("state") ?? "";
      const browser = yield* consentCookie(address, state);
      if (browser === undefined) return yield* failed(new ConsentExpired(), null);
      const begun = yield* Effect.result(consents.take(state, browser));
      if (begun._tag === "Failure") return yield* failed(begun.failure, null);
      const { link } = begun.success;
      return yield* Effect.catch(finish(begun.success, state, Redacted.make(callbackUrl.href)), (error) =>
        failed(error, link === null ? null : Redacted.value(link)),
      );
    });

    const secretOf = Effect.map(HttpRouter.params, ({ secret = "" }) => secret);
    yield* router.add(
      "GET",
      "/connect/:secret",
      Effect.flatMap(secretOf, (secret) => Effect.catch(show(secret), (error) => failed(error, secret))),
    );
    yield* router.add(
      "POST",
      "/connect/:secret",
      Effect.flatMap(secretOf, (secret) => Effect.catch(submit(secret), (error) => failed(error, secret))),
    );
    yield* router.add(
      "GET",
      "/oauth/sign-in/:app",
      Effect.gen(function* () {
        const { app = "" } = yield* HttpRouter.params;
        // Without TLS a session's cookie could be intercepted.
        if (sessionCookie === undefined) return yield* failed({ _tag: "HttpsMissing" }, null);
        const { url } = yield* HttpServerRequest.HttpServerRequest;
        const email = new URL(url, origin).searchParams.get("email") || null;
        if (email !== null && Option.isNone(accountIdOf(email))) return yield* failed(new AddressMalformed(), null);
        return yield* Effect.catch(consent(app, email, null), (error) => failed(error, null));
      }),
    );
    yield* router.add("GET", "/oauth/callback", called);
    yield* router.add(
      "GET",
      "/oauth/pages.css",
      Effect.succeed(HttpServerResponse.text(PAGES_CSS, { contentType: "text/css; charset=utf-8" })),
    );
  }),
);
