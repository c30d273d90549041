import { Clock, Context, Effect, Layer, Option } from "effect";
import { Fingerprints } from "../auth/index.ts";
import { OAuthSettings } from "../oauth/index.ts";
import { type AccountId, Entropy, type InputInvalid, type StoreUnavailable, Transaction } from "../shared/index.ts";
import { checkerOf } from "../shared/neighbours.ts";
import { AgentGrants } from "./AgentGrants.ts";
import type { AssistantClient } from "./AssistantClient.ts";
import { AssistantClients } from "./AssistantClients.ts";
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  type ConsentChoice,
  readAuthorization,
  rightsOfChoice,
} from "./authorization-request.ts";
import { hostOfDocument } from "./client-document.ts";
import { mayRedeem, startCode } from "./code-state.ts";
import { type AuthorizationRefused, ClientRejected, TokenRefused } from "./errors.ts";
import { AuthorizationCodes } from "./ports/AuthorizationCodes.ts";
import { isLoopbackUri, isRegistered } from "./redirect-uris.ts";
import { assistantFields } from "./rules.ts";
import type { IssuedTokens } from "./tokens-of-grants.ts";

const CODE_BITS = 256;

const checkChoice = checkerOf({ sendPolicy: assistantFields.sendPolicy });

/** The form of a code verifier (RFC 7636, 4.1). */
const VERIFIER = /^[\w.~-]{43,128}$/;

/** An assistant that asks for access, and the target of the redirect. */
export interface AskingAssistant {
  readonly client: AssistantClient;
  /** The host that serves the client's document; null for a client without one. Only the host is verified. */
  readonly host: string | null;
  readonly redirectUri: string;
  /** Whether the redirect goes to a program on the person's own machine. The service cannot tell such programs apart. */
  readonly isOnThisMachine: boolean;
}

/** The authorization server of the service's own mailboxes: OAuth 2.1 with codes and PKCE (spec 13.3). */
export class AssistantSignIn extends Context.Service<
  AssistantSignIn,
  {
    /** The issuer (RFC 8414), and the resource for which it issues tokens (RFC 8707). */
    readonly issuer: string;
    readonly resource: string;
    /**
     * Returns the client that asks for access. Fails unless the redirect URI is registered for the client; then nothing
     * may be redirected.
     */
    readonly askerOf: (
      parameters: AuthorizationParameters,
    ) => Effect.Effect<AskingAssistant, ClientRejected | StoreUnavailable>;
    /** Checks the other parameters of a request. The client gets these errors by redirect. */
    readonly check: (parameters: AuthorizationParameters) => Effect.Effect<AuthorizationRequest, AuthorizationRefused>;
    /** Returns an authorization code for the person's choice. */
    readonly approve: (
      account: AccountId,
      asker: AskingAssistant,
      request: AuthorizationRequest,
      choice: ConsentChoice,
    ) => Effect.Effect<string, InputInvalid | StoreUnavailable>;
    /** Exchanges a code or a refresh token (RFC 6749, 4.1.3 and 6). */
    readonly exchange: (
      parameters: AuthorizationParameters,
    ) => Effect.Effect<IssuedTokens, TokenRefused | StoreUnavailable>;
    /** Removes expired codes. */
    readonly sweep: Effect.Effect<void, StoreUnavailable>;
  }
>()("@postern/core/assistants/AssistantSignIn") {
  static readonly layer = Layer.effect(
    AssistantSignIn,
    Effect.gen(function* () {
      const { baseUrl: issuer } = yield* OAuthSettings;
      const resource = `${issuer}/mcp`;
      const clients = yield* AssistantClients;
      const codes = yield* AuthorizationCodes;
      const grants = yield* AgentGrants;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const transaction = yield* Transaction;

      const redeem = Effect.fnUntraced(function* (
        { code, redirect_uri, code_verifier = "" }: AuthorizationParameters,
        clientId: string,
      ) {
        if (code === undefined || redirect_uri === undefined) {
          return yield* refuse("invalid_request", "code and redirect_uri are required");
        }
        if (!VERIFIER.test(code_verifier)) {
          return yield* refuse("invalid_request", "code_verifier must have 43 to 128 characters");
        }
        // The S256 challenge is the SHA-256 of the verifier in base64url, the same as a fingerprint.
        const given = { clientId, redirectUri: redirect_uri, challenge: fingerprints.ofToken(code_verifier) };
        // A refused code stays spent.
        const issued = yield* transaction.run(
          Effect.gen(function* () {
            const taken = yield* codes.take(fingerprints.ofToken(code));
            const now = yield* Clock.currentTimeMillis;
            return Option.isNone(taken) || !mayRedeem(taken.value, given, now)
              ? null
              : yield* Effect.catchTag(grants.start(taken.value), "TokenRefused", () => Effect.succeed(null));
          }),
        );
        return (
          issued ??
          (yield* refuse("invalid_grant", "The code is unknown, used or expired, or was given to another request"))
        );
      });

      return AssistantSignIn.of({
        issuer,
        resource,
        askerOf: Effect.fn("AssistantSignIn.askerOf")(function* ({ client_id, redirect_uri }) {
          if (client_id === undefined) return yield* new ClientRejected({ reason: "id_missing" });
          const client = yield* clients.find(client_id);
          if (redirect_uri === undefined || !isRegistered(client.redirectUris, redirect_uri)) {
            return yield* new ClientRejected({ reason: "redirect_uri_foreign" });
          }
          return {
            client,
            host: client.source === "document" ? hostOfDocument(client.id) : null,
            redirectUri: redirect_uri,
            isOnThisMachine: isLoopbackUri(redirect_uri),
          };
        }),
        check: (parameters) => Effect.fromResult(readAuthorization(parameters, resource)),
        approve: Effect.fn("AssistantSignIn.approve")(function* (
          account,
          { client, host, redirectUri },
          { challenge },
          choice,
        ) {
          yield* checkChoice({ sendPolicy: rightsOfChoice(choice).sendPolicy });
          const code = yield* entropy.id(CODE_BITS);
          const { id, name } = client;
          const start = {
            id: fingerprints.ofToken(code),
            account,
            client: { id, name, host },
            redirectUri,
            challenge,
            ...rightsOfChoice(choice),
          };
          yield* codes.insert(startCode(start, yield* Clock.currentTimeMillis));
          return code;
        }),
        exchange: Effect.fn("AssistantSignIn.exchange")(function* (parameters) {
          const { grant_type, client_id, refresh_token, scope } = parameters;
          if (client_id === undefined) return yield* refuse("invalid_request", "client_id is required");
          if (parameters["resource"] !== undefined && parameters["resource"] !== resource) {
            return yield* refuse("invalid_target", `resource must be ${resource}`);
          }
          if (grant_type === "authorization_code") return yield* redeem(parameters, client_id);
          if (grant_type !== "refresh_token") {
            return yield* refuse("unsupported_grant_type", "grant_type must be authorization_code or refresh_token");
          }
          if (refresh_token === undefined) return yield* refuse("invalid_request", "refresh_token is required");
          const asked = scope?.split(" ").filter((one) => one !== "");
          return yield* grants.renew(refresh_token, client_id, asked);
        }),
        sweep: Effect.flatMap(Clock.currentTimeMillis, codes.removeExpired).pipe(
          Effect.withSpan("AssistantSignIn.sweep"),
        ),
      });
    }),
  );
}

const refuse = (error: TokenRefused["error"], description: string) =>
  Effect.fail(new TokenRefused({ error, description }));
