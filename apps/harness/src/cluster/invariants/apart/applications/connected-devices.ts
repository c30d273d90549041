import { AccountDirectory } from "@postern/core/accounts";
import { DeviceConnections } from "@postern/core/lifecycle";
import { OAuthApps } from "@postern/core/oauth";
import { Context, Effect, Option } from "effect";
import { HOUR, MINUTE, SECOND } from "../durations.ts";
import type { Operator } from "./operator.ts";

/** A device authorization connects the account once its user consents, unless it or its key has ended before. */
export const connectDevices = ({ visit, cluster, keys, make }: Operator): Effect.Effect<void, unknown> =>
  Effect.gen(function* () {
    const { app, account, tokens } = cluster.providers.all[0]!;
    cluster.mail.addAccount(account, "no program knows it");
    cluster.ask((ports) => Context.get(ports, OAuthApps).keep(app));
    const { key } = yield* make("devices");
    const ended = yield* make("devices");
    const short = yield* make("devices", { expiresAt: visit.now + MINUTE });
    const use = <A, E>(ask: (all: DeviceConnections["Service"]) => Effect.Effect<A, E>) =>
      visit.ask("devices", (services) => ask(Context.get(services, DeviceConnections)));
    const start = (by: string) =>
      use((all) => all.start({ provider: app.id, tags: ["by-device"] }, { reach: ["tag:by-device"], key: by }));
    const state = (id: string) =>
      Effect.match(
        use((all) => all.poll(id, ["tag:by-device"])),
        {
          onFailure: ({ _tag }) => _tag,
          onSuccess: (found) => [found.state, found.account],
        },
      );
    const known = () =>
      Option.getOrUndefined(cluster.ask((ports) => Context.get(ports, AccountDirectory).find(account)));
    const [one, two, three, four, five] = [
      yield* start(ended.key.id),
      yield* start(short.key.id),
      yield* start(key.id),
      yield* start(key.id),
      yield* start(key.id),
    ];
    const states = Effect.forEach([one, two, three, four, five], ({ id }) => state(id));
    const pending = ["pending", null];
    visit.same(
      yield* states,
      [pending, pending, pending, pending, pending],
      "device authorizations without a decision",
    );
    yield* keys((all) => all.remove(ended.key.id));
    for (const { userCode } of [one, two, four]) tokens.decideDevice(userCode, { user: account });
    tokens.decideDevice(three.userCode, "denied");
    visit.same(yield* state(four.id), pending, "a device authorization before its provider may be asked again");
    const foreign = yield* visit.tagOf("devices", (services) =>
      Context.get(services, DeviceConnections).poll(four.id, ["tag:other"]),
    );
    visit.same(foreign, "DeviceNotFound", "a device authorization of a key with another reach");
    yield* visit.skip(MINUTE + SECOND);
    visit.same([yield* state(one.id), known()], [["expired", null], undefined], "the authorization of a deleted key");
    visit.same([yield* state(two.id), known()], [["expired", null], undefined], "the authorization of an expired key");
    visit.same(yield* state(three.id), ["denied", null], "an authorization that the user denied");
    visit.same(yield* state(four.id), ["done", account], "an authorization that the user gave");
    const connected = known();
    visit.same(
      [connected?.managed, connected?.tags, connected?.authKind, connected?.provider],
      [true, ["by-device"], "oauth2", app.id],
      "a connected account",
    );
    yield* visit.skip(9 * MINUTE);
    visit.same(yield* state(four.id), ["done", account], "the result of an authorization nine minutes later");
    yield* visit.skip(HOUR);
    tokens.decideDevice(five.userCode, { user: account });
    const late = yield* state(five.id);
    visit.expect(
      late === "DeviceNotFound" || late[0] === "expired",
      `an authorization after its end is ${String(late)}`,
    );
  });
