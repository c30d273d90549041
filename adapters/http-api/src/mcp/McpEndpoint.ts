import { CurrentPrincipal } from "@postern/api";
import { Audit, AuditTrail } from "@postern/core/audit";
import { AgentGrants, AssistantSignIn, GRANTABLE_SCOPES } from "@postern/core/assistants";
import { Accounts } from "@postern/core/accounts";
import { ActingAgent, includesScope, KeyAuthentication, policyOf, type ServiceKey } from "@postern/core/auth";
import { Entropy } from "@postern/core/shared";
import { Effect, Exit, Option, Schema } from "effect";
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http";
import { principalOf, senderOf } from "../auth/current-principal.ts";
import { PublicAddress } from "../edge/PublicAddress.ts";
import { answer } from "../problems/answer.ts";
import { accountRequired } from "../problems/keys.ts";
import { RequestId } from "../wire/RequestId.ts";
import { RequestRecord } from "../wire/RequestRecord.ts";
import { keyClient } from "../wire/request-client.ts";
import { draftTools } from "./draft-tools.ts";
import { Fence } from "./Fence.ts";
import { organizeTool } from "./organize-tool.ts";
import { readTools } from "./read-tools.ts";
import { callRecorder, onlyAccountOf } from "./recorded-call.ts";
import { unsubscribeTool } from "./unsubscribe-tool.ts";
import { RequestRefused } from "./RequestRefused.ts";
import type { Tool } from "./tool.ts";
import { failedResult, writtenResult } from "./written-result.ts";

const METADATA = "/.well-known/oauth-protected-resource/mcp";

const rpcError = (status: number, code: number, message: string, headers: Readonly<Record<string, string>> = {}) =>
  HttpServerResponse.text(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code, message } }), {
    status,
    contentType: "application/json",
    headers,
  });

/**
 * Returns whether the protocol refused a request before any tool ran. Older revisions answer as a stream of events, so
 * the text is not parsed.
 */
const isRefused = (status: number, text: string): boolean => status >= 400 || text.includes('"error":{');

/** Loads the protocol's library at the first request, because it is half as large as all of Postern's code. */
const protocol = Effect.promise(() => import("./protocol.ts"));

/**
 * `POST /mcp`: the tools for assistants, by the Model Context Protocol (spec 13). Requests are independent of each
 * other, so any node can answer any request.
 */
export const McpEndpoint = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const keys = yield* KeyAuthentication;
    const grants = yield* AgentGrants;
    const { issuer, resource } = yield* AssistantSignIn;
    const accounts = yield* Accounts;
    const audit = yield* Audit;
    const entropy = yield* Entropy;
    const record = yield* callRecorder;
    const { origin, prefix, trustedProxies } = yield* PublicAddress;
    const all: ReadonlyArray<Tool> = [
      ...(yield* readTools),
      yield* organizeTool,
      ...(yield* draftTools),
      yield* unsubscribeTool,
    ];
    const challenge = {
      "www-authenticate": `Bearer resource_metadata="${origin}${prefix}${METADATA}", scope="mail:read mail:draft"`,
    };

    const keyOf = Effect.fnUntraced(function* (bearer: string, request: HttpServerRequest.HttpServerRequest) {
      const granted = yield* grants.holderOf(bearer);
      if (Option.isSome(granted)) return granted;
      const holder = yield* Effect.option(keys.holderOf(bearer, () => keyClient(request, trustedProxies)));
      return Option.flatMap(Option.flatten(holder), (found) =>
        found._tag === "Service" ? Option.some(found.key) : Option.none<ServiceKey>(),
      );
    });

    const accountOf = Effect.fnUntraced(function* (key: ServiceKey, named: string | undefined) {
      const name = named ?? Option.getOrUndefined(onlyAccountOf(key));
      if (name === undefined) return yield* Effect.fail(accountRequired(yield* RequestId).problem);
      return yield* answer(accounts.use(name, key.accounts));
    });

    /** Returns the account that a request names, or fails with the reason of a refusal. */
    const accountNamed = Effect.fnUntraced(function* (key: ServiceKey, { account }: { readonly account?: unknown }) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest;
      return yield* Effect.exit(accountOf(key, typeof account === "string" ? account : headers["postern-account"]));
    });

    const call = Effect.fnUntraced(function* (
      key: ServiceKey,
      { parameters, run }: Tool,
      given: unknown,
      named: Effect.Success<ReturnType<typeof accountNamed>>,
    ) {
      const decoded = Schema.decodeUnknownEffect(parameters, { errors: "all", onExcessProperty: "error" })(given);
      const input = yield* Effect.mapError(
        decoded,
        ({ message }) => new RequestRefused({ reason: "invalid", message: message.slice(0, 1_000) }),
      );
      const account = yield* named;
      (yield* RequestRecord).account = account;
      const credential = { _tag: "Service", key } as const;
      const fence = new Fence(yield* entropy.id(96));
      const ran = run(account, input as never, fence).pipe(
        Effect.provideService(CurrentPrincipal, principalOf(credential, account)),
        Effect.provideService(ActingAgent, { policy: policyOf(key) }),
        Effect.provideService(AuditTrail, audit.trailOf(senderOf(credential))),
      );
      return writtenResult(JSON.parse(JSON.stringify(yield* ran)) as { readonly [name: string]: unknown });
    });

    const serve = Effect.fnUntraced(function* (key: ServiceKey, request: HttpServerRequest.HttpServerRequest) {
      const body = request.method === "POST" ? yield* request.text : undefined;
      const tools = all.filter(({ scopes }) => scopes.some((scope) => includesScope(key.scopes, scope)));
      const context = yield* Effect.context<HttpServerRequest.HttpServerRequest>();
      const run = Effect.runPromiseWith(context);
      let calls = 0;
      const runCall = <A, E>(called: Effect.Effect<A, E, HttpServerRequest.HttpServerRequest>, signal: AbortSignal) => {
        calls += 1;
        return run(called, { signal });
      };
      const { answerRequest } = yield* protocol;
      const handle = (signal: AbortSignal) => {
        const callTool = (tool: string, given: object) => {
          const found = tools.find(({ name }) => name === tool);
          const recorded = Effect.gen(function* () {
            const named = yield* accountNamed(key, given);
            const account = Exit.getSuccess(named);
            const barred = Effect.fail({
              code: all.some(({ name }) => name === tool) ? "insufficient_scope" : "not_found",
            });
            const run = found === undefined ? barred : call(key, found, given, named);
            return yield* record({ key, tool, given, account }, run);
          });
          const caught = Effect.catch(recorded, (error) => {
            if (found === undefined)
              return Effect.die(new RequestRefused({ reason: "invalid", message: `Unknown tool: ${tool}` }));
            return error instanceof RequestRefused ? Effect.die(error) : Effect.succeed(failedResult(error));
          });
          return runCall(caught, signal);
        };
        const list = <A>(answered: A) => {
          const recorded = Effect.flatMap(accountNamed(key, {}), (named) =>
            record({ key, tool: "list", given: {}, account: Exit.getSuccess(named) }, Effect.succeed(answered)),
          );
          const busy = () => new RequestRefused({ reason: "busy", message: "The database is unavailable; retry soon" });
          return runCall(Effect.mapError(recorded, busy), signal);
        };
        const { method, headers } = request;
        const web = new Request(`${origin}/mcp`, {
          method,
          headers: headers as Record<string, string>,
          body: body ?? null,
          signal,
        });
        return answerRequest(web, { tools, callTool, list }).then(async (response) => ({
          response,
          text: await response.text(),
        }));
      };
      const { response, text } = yield* Effect.promise(handle);
      if (calls === 0 && body !== undefined && isRefused(response.status, text)) {
        const account = Exit.getSuccess(yield* accountNamed(key, {}));
        const refused = Effect.fail({ code: "invalid_request" });
        yield* Effect.ignore(record({ key, tool: "other", given: {}, account }, refused));
      }
      const type = response.headers.get("content-type");
      const allow = response.status === 405 ? { allow: "POST" } : {};
      if (text === "") return HttpServerResponse.empty({ status: response.status, headers: allow });
      return HttpServerResponse.text(text, {
        status: response.status,
        contentType: type ?? "application/json",
        headers: { ...allow, "cache-control": "no-store" },
      });
    });

    const answered = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest;
      const { headers } = request;
      const from = headers["origin"];
      if (from !== undefined && from !== origin) return rpcError(403, -32_000, "The Origin is not allowed");
      const [, bearer = ""] = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "") ?? [];
      const key = yield* Effect.option(keyOf(bearer, request));
      if (Option.isNone(key)) return rpcError(503, -32_002, "The database is unavailable; retry soon");
      if (Option.isNone(key.value)) {
        return rpcError(
          401,
          -32_001,
          "A grant's access token or a service key is required, as a bearer token",
          challenge,
        );
      }
      (yield* RequestRecord).keyId = key.value.value.id;
      return yield* serve(key.value.value, request);
    });
    for (const method of ["GET", "POST", "DELETE"] as const) yield* router.add(method, "/mcp", answered);
    yield* router.add(
      "GET",
      METADATA,
      Effect.succeed(
        HttpServerResponse.text(
          JSON.stringify({
            resource,
            resource_name: "Postern",
            authorization_servers: [issuer],
            bearer_methods_supported: ["header"],
            scopes_supported: GRANTABLE_SCOPES,
          }),
          { contentType: "application/json" },
        ),
      ),
    );
  }),
);
