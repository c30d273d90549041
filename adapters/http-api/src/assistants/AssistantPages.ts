import { AssistantSettings, AssistantSignIn, GRANTABLE_SCOPES } from "@postern/core/assistants";
import { Effect } from "effect";
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { authorizePage } from "./authorize-page.ts";
import { parametersOf } from "./parameters.ts";
import { registerClient } from "./register-client.ts";

const SERVER_METADATA = "/.well-known/oauth-authorization-server";

/** The paths of sign-in for assistants, which are outside the contract because OAuth fixes their forms. */
export const ASSISTANT_PAGES = [
  { method: "GET", path: SERVER_METADATA },
  { method: "GET", path: "/oauth/authorize" },
  { method: "POST", path: "/oauth/authorize" },
  { method: "POST", path: "/oauth/token" },
  { method: "POST", path: "/oauth/register" },
] as const;

/** Sign-in of assistants by OAuth 2.1: metadata, the consent page, tokens and registration (spec 13.3). */
export const AssistantPages = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { prefix } = yield* PublicAddress;
    const signIn = yield* AssistantSignIn;
    const { mayRegister } = yield* AssistantSettings;
    const { issuer, resource } = signIn;

    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      ...(mayRegister ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
      scopes_supported: GRANTABLE_SCOPES,
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["none"],
      code_challenge_methods_supported: ["S256"],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
      protected_resources: [resource],
    };

    const exchange = Effect.gen(function* () {
      const { text } = yield* HttpServerRequest.HttpServerRequest;
      const parameters = parametersOf(yield* Effect.orElseSucceed(text, () => ""));
      if (parameters === undefined) return refusal("invalid_request", "A parameter is sent twice");
      return yield* Effect.match(signIn.exchange(parameters), {
        onSuccess: ({ accessToken, refreshToken, expiresInSeconds, scopes }) =>
          HttpServerResponse.jsonUnsafe({
            access_token: accessToken,
            token_type: "Bearer",
            expires_in: expiresInSeconds,
            refresh_token: refreshToken,
            scope: scopes.join(" "),
          }),
        onFailure: (error) =>
          error._tag === "TokenRefused"
            ? refusal(error.error, error.description)
            : refusal("temporarily_unavailable", "The database is unavailable; retry soon", 503),
      });
    });

    const answerMetadata = Effect.succeed(HttpServerResponse.jsonUnsafe(metadata));
    // RFC 8414, 3.1: the path of an issuer follows the well-known path.
    for (const path of new Set([SERVER_METADATA, `${SERVER_METADATA}${prefix}`] as const)) {
      yield* router.add("GET", path, answerMetadata);
    }
    const authorize = yield* authorizePage;
    yield* router.add("GET", "/oauth/authorize", authorize);
    yield* router.add("POST", "/oauth/authorize", authorize);
    yield* router.add("POST", "/oauth/token", exchange);
    yield* router.add("POST", "/oauth/register", yield* registerClient);
  }),
);

const refusal = (error: string, description: string, status = 400) =>
  HttpServerResponse.jsonUnsafe({ error, error_description: description }, { status });
