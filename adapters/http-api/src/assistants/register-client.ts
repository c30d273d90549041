import { AssistantClients } from "@postern/core/assistants";
import { Effect, Option, Schema } from "effect";
import { HttpServerRequest, HttpServerResponse } from "effect/http";

const readBody = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({
      client_name: Schema.optionalKey(Schema.String),
      redirect_uris: Schema.Array(Schema.String),
    }),
  ),
);

const refusal = (status: number, error: string, description: string) =>
  HttpServerResponse.jsonUnsafe({ error, error_description: description }, { status });

/** Answers a client that registers itself (RFC 7591). Clients are public: they get no secret. */
export const registerClient = Effect.map(AssistantClients, (clients) =>
  Effect.gen(function* () {
    const { text } = yield* HttpServerRequest.HttpServerRequest;
    const body = readBody(yield* Effect.orElseSucceed(text, () => ""));
    if (Option.isNone(body)) return refusal(400, "invalid_client_metadata", "redirect_uris is required");
    const { client_name: name = "Assistant", redirect_uris: redirectUris } = body.value;
    return yield* Effect.match(clients.register({ name, redirectUris }), {
      onSuccess: (client) =>
        HttpServerResponse.jsonUnsafe(
          {
            client_id: client.id,
            client_id_issued_at: Math.floor(client.createdAt / 1_000),
            client_name: client.name,
            redirect_uris: client.redirectUris,
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
            token_endpoint_auth_method: "none",
          },
          { status: 201 },
        ),
      onFailure: (error) => {
        if (error._tag === "InputInvalid") {
          const isRedirect = error.errors.some(({ field }) => field.startsWith("redirectUris"));
          return refusal(400, isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata", "A field is invalid");
        }
        if (error._tag === "StoreUnavailable") return refusal(503, "temporarily_unavailable", "Retry soon");
        return error.reason === "full"
          ? refusal(503, "temporarily_unavailable", "Too many clients have registered themselves")
          : refusal(403, "access_denied", "Clients cannot register themselves here: use a Client ID Metadata Document");
      },
    });
  }),
);
