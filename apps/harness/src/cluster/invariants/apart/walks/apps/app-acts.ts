import type { OAuthApp, OAuthAppInput } from "@postern/core/oauth";
import { Effect, Redacted } from "effect";
import type { Cluster } from "../../../../Cluster.ts";
import type { Visit } from "../../../../Visit.ts";
import { DAY, HOUR } from "../../durations.ts";
import type { Act } from "../walk.ts";
import { operatorAudit } from "../operator-audit.ts";
import { tagOf, type WalkedApps } from "./walked-apps.ts";

const WRONG: ReadonlyArray<Partial<Record<keyof OAuthAppInput, unknown>>> = [
  { id: "an app" },
  { provider: "oidc", issuer: undefined },
  { issuer: "provider.test" },
  { tenant: "common", provider: "oidc" },
  { clientId: undefined },
  { clientId: "" },
  { privateKey: "beside the secret" },
  { mode: "application", domains: undefined },
  { mode: "application", domains: [] },
  { mode: "hook", tokenUrl: "https://hook.test/", domains: undefined },
  { mode: "application", domains: ["own.test"], clientSecret: undefined },
  { mode: "hook", domains: ["own.test"] },
  { mode: "delegated", tokenUrl: "https://hook.test/" },
  { imap: { host: "imap.new.test", port: 993, security: "tls" }, smtp: undefined },
  { domains: ["not a domain"] },
];

/** What an operator does with apps, and the lists of them. */
export const appActs = (visit: Visit, cluster: Cluster, apps: WalkedApps): ReadonlyArray<Act> => {
  const { random } = cluster;
  const { known, draw, use } = apps;
  const keys = new Map<string, { readonly input: OAuthAppInput; readonly at: number }>();
  const audit = operatorAudit(visit);

  const keep = Effect.gen(function* () {
    const input = draw();
    const key = random.chance(0.4) ? `key ${keys.size}` : undefined;
    const claim = key === undefined ? undefined : { caller: "admin", key, account: null };
    visit.same(tagOf(yield* use((all) => all.keep(input, claim))), "Answered", "an app");
    known.set(input.id, input);
    if (key !== undefined) keys.set(key, { input, at: visit.now });
    yield* audit.promise("oauthApps.keep", input.id!);
  });
  /** A repeated request finds the app in its present state. */
  const keepAgain = Effect.gen(function* () {
    const [key, { input, at }] = random.pick([...keys])!;
    if (visit.now - at > DAY - HOUR) return void keys.delete(key);
    const isSame = random.chance(0.7);
    const again = isSame ? input : { ...input, label: "another" };
    const answer = yield* use((all) => all.keep(again, { caller: "admin", key, account: null }));
    const present = known.get(input.id);
    visit.same(
      answer._tag === "Success" ? shown(answer.success) : answer.failure._tag,
      !isSame ? "IdempotencyKeyReused" : present === undefined ? "CreatedThenDeleted" : promisedOf(present),
      "an app that is made again with a key",
    );
  });
  const keepWrongly = Effect.gen(function* () {
    const wrong = random.pick(WRONG)!;
    const all = Object.entries({ ...draw(), ...wrong }).filter(([, value]) => value !== undefined);
    const input = Object.fromEntries(all) as unknown as OAuthAppInput;
    if (input.provider !== "oidc" && "issuer" in wrong && wrong.issuer === undefined) return;
    visit.same(tagOf(yield* use((on) => on.keep(input))), "InputInvalid", `an app with ${JSON.stringify(wrong)}`);
  });
  const remove = Effect.gen(function* () {
    const id = random.pick(["app-a", "app-b", "App-c"]);
    const isKnown = known.delete(id);
    visit.same(tagOf(yield* use((all) => all.remove(id))), isKnown ? "Answered" : "AppNotFound", "the end of an app");
    if (isKnown) yield* audit.promise("oauthApps.remove", id);
  });
  /** Each app is listed once, in the order of the ids, and people see those of their domain. */
  const compare = Effect.gen(function* () {
    const sorted = [...known.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    const limit = random.between(1, 4);
    const found: Array<OAuthApp> = [];
    for (let cursor: string | undefined; ;) {
      const answer = yield* use((all) => all.page({ limit, cursor }));
      if (answer._tag === "Failure") return visit.expect(false, "the apps are not listed");
      visit.expect(
        answer.success.items.every(({ isFixed }) => !isFixed),
        "an app of the API is fixed",
      );
      found.push(...answer.success.items.map(({ app }) => app));
      if (answer.success.nextCursor === null) break;
      cursor = answer.success.nextCursor;
    }
    visit.same(found.map(shown), sorted.map(promisedOf), "the apps");

    const email = random.pick([undefined, "user@own.test", "user@sim.test", "user@far.test", "user@gmail.com"]);
    const offered = yield* use((all) => all.ofSignIn(email));
    const delegated = sorted.filter(({ mode }) => mode !== "application");
    const domain = email?.split("@")[1];
    const own = delegated.filter(({ domains }) => domain !== undefined && domains?.includes(domain));
    const open = delegated.filter(
      ({ domains, provider }) => domains === undefined && (domain !== "gmail.com" || provider === "google"),
    );
    visit.same(
      offered._tag === "Success" ? offered.success.items.map(({ id }) => id) : offered.failure._tag,
      (domain === undefined ? delegated : own.length > 0 ? own : open).map(({ id }) => id),
      `the apps for ${email ?? "anyone"}`,
    );
    yield* audit.compare;
  });

  const act = (name: string, weight: number, run: Effect.Effect<unknown, unknown>, isPossible = () => true) => ({
    name,
    weight,
    isPossible,
    run: Effect.andThen(run, compare),
  });
  return [
    act("keep an app", 6, keep),
    act("keep an app again", 2, keepAgain, () => keys.size > 0),
    act("keep an app wrongly", 3, keepWrongly),
    act("remove an app", 2, remove),
  ];
};

const shown = (app: OAuthApp) => [
  app.id,
  app.provider,
  app.label,
  app.issuer,
  app.clientId,
  app.secret._tag === "None" ? null : Redacted.value(app.secret.value),
  app.mode,
  app.scopes,
  app.servers?.imap.host ?? null,
  app.servers?.smtp.host ?? null,
  app.domains,
];
const promisedOf = (input: OAuthAppInput) => [
  input.id,
  input.provider,
  input.label ?? null,
  input.issuer ?? null,
  input.clientId,
  input.clientSecret ?? null,
  input.mode ?? "delegated",
  input.scopes ?? null,
  input.imap?.host ?? null,
  input.smtp?.host ?? null,
  input.domains ?? [],
];
