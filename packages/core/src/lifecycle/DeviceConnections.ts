import { Clock, Context, Effect, Layer, Option } from "effect";
import { AccountDirectory, type OutsideReach } from "../accounts/index.ts";
import { Fingerprints, type KeyReach, ServiceKeys } from "../auth/index.ts";
import {
  type AppNotFound,
  Apps,
  AuthorizationServer,
  ConnectAttempts,
  type DeviceAuthorization,
  type IssuedTokens,
  LinkExpired,
  type ProviderError,
} from "../oauth/index.ts";
import {
  checkConnection,
  type Connector,
  connectRequestOf,
  type DeviceConsent,
  isKeyLive,
  type WrittenConnection,
  DeviceNotFound,
} from "../oauth/neighbours.ts";
import { type AccountId, accountIdOf, Entropy, type InputInvalid, type StoreUnavailable } from "../shared/index.ts";
import { checkId } from "../shared/neighbours.ts";
import { AccountConnection, type ConnectionError } from "./AccountConnection.ts";

/** The milliseconds added to the interval between polls if the provider asks to slow down (RFC 8628, 3.5). */
const SLOWER_BY = 5_000;

/** How long the result of a device authorization can be read, in milliseconds. */
const RESULT_KEPT = 10 * 60_000;

/** How long an authorization waits for the connection of the account, in milliseconds. */
const CONNECTING = 2 * 60_000;

/** A started device authorization, in the form that an application gets. */
export interface StartedDevice extends Omit<DeviceAuthorization, "deviceCode"> {
  readonly id: string;
}

/** The state of a device authorization, with the account that it connected. */
export interface DeviceState {
  readonly state: DeviceConsent["state"];
  readonly account: AccountId | null;
}

/** Connects accounts whose users consent on another device (RFC 8628, spec 11.3). */
export class DeviceConnections extends Context.Service<
  DeviceConnections,
  {
    readonly start: (
      written: WrittenConnection & { readonly provider: string },
      by: Connector,
    ) => Effect.Effect<StartedDevice, InputInvalid | AppNotFound | OutsideReach | ProviderError | StoreUnavailable>;
    /** Asks the provider if the next poll is due, and connects the account once the user has consented. */
    readonly poll: (
      id: string,
      reach: KeyReach | null,
    ) => Effect.Effect<DeviceState, InputInvalid | ConnectionError | DeviceNotFound | OutsideReach>;
  }
>()("@postern/core/lifecycle/DeviceConnections") {
  static readonly layer = Layer.effect(
    DeviceConnections,
    Effect.gen(function* () {
      const apps = yield* Apps;
      const server = yield* AuthorizationServer;
      const attempts = yield* ConnectAttempts;
      const connection = yield* AccountConnection;
      const fingerprints = yield* Fingerprints;
      const entropy = yield* Entropy;
      const keys = yield* ServiceKeys;
      const directory = yield* AccountDirectory;

      /** Returns the authorization if a key with this reach may see it. */
      const findOf = Effect.fnUntraced(function* (id: string, reach: KeyReach | null) {
        const found = Option.getOrUndefined(yield* attempts.find(id));
        const isTheirs = found?._tag === "Device" && sameReach(found.request.reach, reach);
        return isTheirs ? found : yield* new DeviceNotFound();
      });

      /**
       * Reserves the next poll of the provider; undefined if the poll is not due yet, or if another request polls now.
       */
      const takeTurn = Effect.fnUntraced(function* (id: string, now: number) {
        const changed = yield* attempts.change(id, (attempt) => {
          if (attempt._tag !== "Device" || attempt.state !== "pending" || now < attempt.nextPollAt) {
            return [undefined, attempt];
          }
          const after = { ...attempt, nextPollAt: now + attempt.intervalMillis };
          return [after, after];
        });
        return Option.getOrUndefined(changed);
      });

      /** Changes an authorization; false if it has ended. */
      const write = Effect.fnUntraced(function* (id: string, state: Partial<DeviceConsent>) {
        const isChanged = yield* attempts.change(id, (attempt) =>
          attempt._tag === "Device" && attempt.state === "pending"
            ? [true, { ...attempt, ...state }]
            : [false, attempt],
        );
        return Option.getOrElse(isChanged, () => false);
      });

      /** Lengthens the interval, also the one that runs. */
      const slowDown = ({ id, intervalMillis, nextPollAt }: DeviceConsent) =>
        Effect.asVoid(write(id, { intervalMillis: intervalMillis + SLOWER_BY, nextPollAt: nextPollAt + SLOWER_BY }));

      /** Connects the account, unless the application was told meanwhile that the authorization has ended. */
      const connect = Effect.fnUntraced(function* (device: DeviceConsent, tokens: IssuedTokens, askedAt: number) {
        const { id, request, expiresAt } = device;
        const until = (yield* Clock.currentTimeMillis) + CONNECTING;
        if (!(yield* write(id, { nextPollAt: until, expiresAt: Math.max(expiresAt, until) }))) return;
        const app = yield* apps.get(request.app);
        const email = request.address ?? tokens.identity?.address ?? "";
        const offered = { app, token: tokens.accessToken, issued: tokens, askedAt, delegateOf: null };
        const ending = Effect.gen(function* () {
          const readUntil = (yield* Clock.currentTimeMillis) + RESULT_KEPT;
          const account = Option.getOrNull(accountIdOf(email));
          if (!(yield* write(id, { state: "done", account, expiresAt: readUntil }))) return yield* new LinkExpired();
        });
        yield* connection.byGrant(request, email, offered, ending).pipe(
          Effect.tapError(() => write(id, { state: "denied" })),
          Effect.catchTag("LinkExpired", () => Effect.void),
        );
      });

      const poll = Effect.fnUntraced(function* (device: DeviceConsent, now: number) {
        const isOver = now >= device.expiresAt || !(yield* isKeyLive(keys, device.request, now));
        if (isOver) return yield* Effect.asVoid(write(device.id, { state: "expired" }));
        const app = yield* apps.get(device.request.app);
        const answer = yield* server.pollDevice(app, device.deviceCode);
        switch (answer._tag) {
          case "Pending":
            return;
          case "SlowDown":
            return yield* slowDown(device);
          case "Denied":
            return yield* Effect.asVoid(write(device.id, { state: "denied" }));
          case "Expired":
            return yield* Effect.asVoid(write(device.id, { state: "expired" }));
          case "Authorized":
            return yield* connect(device, answer.tokens, now);
        }
      });

      return DeviceConnections.of({
        start: Effect.fn("DeviceConnections.start")(function* (written, by) {
          yield* checkConnection(written);
          const request = { ...(yield* connectRequestOf(written, by, apps, directory)), app: written.provider };
          const app = yield* apps.get(request.app);
          const now = yield* Clock.currentTimeMillis;
          const { deviceCode, ...started } = yield* server.startDevice(app);
          const id = yield* entropy.id(128);
          yield* attempts.insert({
            _tag: "Device",
            id: fingerprints.ofToken(id),
            expiresAt: now + started.expiresIn * 1000,
            request,
            deviceCode,
            intervalMillis: started.interval * 1000,
            nextPollAt: now + started.interval * 1000,
            state: "pending",
            account: null,
          });
          return { id, ...started };
        }),

        poll: Effect.fn("DeviceConnections.poll")(function* (secret, reach) {
          yield* checkId({ id: secret });
          const id = fingerprints.ofToken(secret);
          yield* findOf(id, reach);
          const now = yield* Clock.currentTimeMillis;
          const device = yield* takeTurn(id, now);
          if (device !== undefined) yield* poll(device, now);
          const { state, account } = yield* findOf(id, reach);
          return { state, account };
        }),
      });
    }),
  );
}

/** Returns whether a key has the same reach as the key that began the authorization. Only such a key may read the result. */
const sameReach = (begun: KeyReach | null, reach: KeyReach | null): boolean =>
  reach === null || JSON.stringify(begun) === JSON.stringify(reach);
