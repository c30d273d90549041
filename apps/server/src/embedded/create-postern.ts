import type { IncomingMessage } from "node:http";
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer";
import { type AccountId, accountIdOf, StoreUnavailable } from "@postern/core/shared";
import { OPERATOR, prefixOf, RequestAuthority } from "@postern/http-api";
import { Cause, Context, Duration, Effect, Exit, Layer, Option, Scope } from "effect";
import { HttpEffect, type HttpServerRequest } from "effect/http";
import { refuseRequest } from "../process/answer-broken-requests.ts";
import { type BrokenRequest, newRequestId, writeBroken } from "../process/broken-request.ts";
import { type Ask, directCalls } from "./direct-calls.ts";
import { eventsBy } from "./live-events.ts";
import { embeddedConfig } from "./embedded-config.ts";
import { logTo } from "./log-to.ts";
import { openService } from "./open-service.ts";
import { OpenRequests } from "./OpenRequests.ts";
import { namingOptions } from "./option-names.ts";
import { fromClient } from "./from-client.ts";
import type { ClientOptions, Postern, Tokens } from "./Postern.ts";
import { PosternError } from "./PosternError.ts";
import type { PosternOptions, Settings } from "./PosternOptions.ts";
import type { PosternPorts } from "./ports/PosternPorts.ts";
import { checkPorts, replacementsOf } from "./ports/replacements-of.ts";
import { problemError } from "./problem-error.ts";

/** The time that requests may take after the service stops. */
const ANSWERS = Duration.millis(16_500);

/** Builds the service inside this program. Nothing runs before `start`; the environment is not read. */
export const createPostern = async (options: PosternOptions = {}): Promise<Postern> => {
  const { logger, authenticate, ports = {}, ...settings } = options;
  checkPorts(ports);
  const scope = Scope.makeUnsafe();
  const opening = Effect.gen(function* () {
    const given = yield* embeddedConfig(withoutSmtp(settings, ports));
    const config = ports.mailTransport === undefined ? given : { ...given, smtp: Option.none() };
    const opened = yield* openService(config, logTo(logger, config.logLevel), replacementsOf(ports, config));
    const requests = Context.get(yield* Layer.build(OpenRequests.layer), OpenRequests);
    return { ...opened, config, requests };
  });
  const { app, behind, config, context, requests, start, stopping } = await runSettled(
    Scope.provide(opening, scope),
  ).catch(async (error: unknown) => {
    await Effect.runPromise(Scope.close(scope, Exit.void));
    throw error;
  });

  const run = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>) => runSettled(Effect.provideContext(effect, context));
  const counted = Effect.andThen(requests.enter, app);
  const within =
    authenticate === undefined ? counted : Effect.provideService(counted, RequestAuthority, authorityOf(authenticate));
  const web = HttpEffect.toWebHandlerWith<never, HttpServerRequest.HttpServerRequest | Scope.Scope>(context);
  const node = await run(NodeHttpServer.makeHandler(within, { scope }));
  const prefix = prefixOf(config.baseUrl);
  const warning = settings.baseUrl || config.sandbox ? Effect.void : Effect.logWarning(NO_BASE_URL);
  let started: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  const send = async (
    authority: (typeof RequestAuthority)["Service"],
    path: string,
    init: RequestInit,
    client?: ClientOptions,
  ) => {
    if (stopped !== undefined) throw stoppedError();
    const request = new Request(new URL(prefix + path, config.baseUrl), { ...init, redirect: "manual" });
    return web(Effect.provideService(fromClient(counted, client), RequestAuthority, authority))(request);
  };
  const ask: Ask = (address, path, init) => {
    const asserted = address === null ? OPERATOR : accountAt(address);
    return send(() => Effect.succeed(asserted), path, init);
  };

  return {
    ...directCalls(ask),
    migrate: async () => {
      if (stopped !== undefined) throw stoppedError();
    },
    start: () => (started ??= run(Effect.andThen(warning, start))),
    stop: () =>
      (stopped ??= run(
        Effect.all([stopping.begin, requests.end(ANSWERS), Scope.close(scope, Exit.void)], { discard: true }),
      )),
    node: (request, response) => {
      if (stopped === undefined) node(request, response);
      else refuseRequest(STOPPED, response, () => {});
    },
    fetch: async (request, client) =>
      stopped === undefined ? web(fromClient(within, client))(request) : stoppedResponse(),
    signIn: async (email, password, client) => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ email, password });
      const response = await send(null, "/api/auth/mobile-login", { method: "POST", headers, body }, client);
      if (!response.ok) throw await problemError(response);
      const { token, refreshToken } = (await response.json()) as Tokens;
      return { token, refreshToken };
    },
    events: eventsBy(ask, run, behind),
  };
};

const stoppedError = () => new PosternError("Postern has stopped", { code: "stopped" });

const NO_BASE_URL =
  "baseUrl is not set, so links in mail and pages lead to http://127.0.0.1:3000; set it to the address of the mount";

/**
 * Returns the settings with a placeholder for the SMTP server, because an account needs a server for sending. With a
 * transport of the host, no connection to it is opened.
 */
const withoutSmtp = (settings: Settings, { mailTransport }: PosternPorts): Settings =>
  mailTransport === undefined || !settings.imapUrl
    ? settings
    : { ...settings, smtpUrl: settings.smtpUrl || "smtp://localhost" };

const STOPPED: BrokenRequest = {
  status: 503,
  code: "not_ready",
  title: "The service has stopped",
  detail: "A service that was stopped cannot be started again. Create another with createPostern.",
};

const stoppedResponse = (): Response => {
  const { body, ...init } = writeBroken(STOPPED, newRequestId());
  return new Response(body, init);
};

const accountAt = (address: string): AccountId => {
  const account = accountIdOf(address);
  if (Option.isSome(account)) return account.value;
  const message = "must be an e-mail address";
  throw new PosternError(`address ${message}`, { code: "invalid_request", errors: [{ field: "address", message }] });
};

const authorityOf =
  (authenticate: NonNullable<PosternOptions["authenticate"]>): NonNullable<(typeof RequestAuthority)["Service"]> =>
  ({ source }) =>
    Effect.promise(async () => {
      const address = await authenticate(source as IncomingMessage | Request);
      return address === undefined || address === null ? undefined : accountAt(address);
    });

/** Runs an effect; rejects with an error that names options instead of environment variables. */
const runSettled = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect);
  if (Exit.isSuccess(exit)) return exit.value;
  const error = Cause.squash(exit.cause);
  if (!(error instanceof Error) || !("_tag" in error)) throw error;
  const tag = String(error._tag);
  const code = tag === "ConfigError" ? "invalid_option" : tag.replaceAll(/(?<=.)[A-Z]/g, "_$&").toLowerCase();
  const text = error instanceof StoreUnavailable ? `The database does not answer: ${error.detail}` : error.message;
  throw new PosternError(namingOptions(text), { code });
};
