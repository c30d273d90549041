import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assert, describe, it } from "@effect/vitest";
import { AuthorizationServer, type OAuthApp } from "@postern/core/oauth";
import { AccountId } from "@postern/core/shared";
import { TENANT } from "@postern/testkit";
import { Effect, Redacted } from "effect";
import { factsOf } from "../src/provider-facts.ts";
import { grantOf, overLoopback, settingOf, USER } from "./oauth-over-loopback.ts";
import { hookApp } from "./real-providers.ts";

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { pem, publicKey: publicKey.export({ type: "spki", format: "pem" }).toString() };
};

const keyOf = (value: string) => ({ _tag: "PrivateKey", value: Redacted.make(value) }) as const;

const headerOf = (assertion: string | null): Record<string, unknown> =>
  JSON.parse(Buffer.from(assertion?.split(".")[0] ?? "", "base64url").toString()) as Record<string, unknown>;

describe("Google", () => {
  it.effect("is asked for offline access with consent, and keeps its refresh token [S11.1-10]", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("google");
        const { url, tokens } = yield* grantOf(setting);
        assert.deepInclude(Object.fromEntries(url.searchParams), {
          scope: "https://mail.google.com/ openid email",
          access_type: "offline",
          prompt: "consent",
        });
        const { refresh } = yield* AuthorizationServer;
        assert.isNull((yield* refresh(setting.app, tokens.refreshToken!)).refreshToken);
        assert.strictEqual(
          setting.provider.requests()[0]?.parameters.get("client_secret"),
          setting.provider.client.clientSecret,
        );
      }),
    ),
  );

  it.effect("opens each mailbox of a domain for a service account's signature [S11.1-7]", () =>
    overLoopback()(
      Effect.gen(function* () {
        const { pem, publicKey } = newKey();
        const client = { clientId: "robot@project.example", publicKey };
        const file = (key: string) =>
          keyOf(JSON.stringify({ client_email: client.clientId, private_key: key, private_key_id: "k1", type: "x" }));
        const { provider, app } = yield* settingOf("google", { client }, { mode: "application", secret: file(pem) });
        const { issue } = yield* AuthorizationServer;
        const tokens = yield* issue(app, AccountId(USER));
        assert.strictEqual(provider.userOf(Redacted.value(tokens.accessToken)), USER);
        assert.strictEqual(headerOf(provider.requests()[0]!.parameters.get("assertion"))["kid"], "k1");
        const forged = yield* Effect.flip(issue({ ...app, secret: file(newKey().pem) }, AccountId(USER)));
        assert.strictEqual(forged._tag, "GrantRefused");
        for (const secret of [keyOf("no json"), keyOf("{}"), file("no key")]) {
          const error = yield* Effect.flip(issue({ ...app, secret }, AccountId(USER)));
          assert.deepInclude(error, { _tag: "AppMisconfigured", fault: "client_secret_wrong" });
        }
      }),
    ),
  );
});

describe("Microsoft", () => {
  it.effect("identifies a user by tenant and object, whichever app asks [S11.2-5]", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("microsoft");
        const { url, tokens } = yield* grantOf(setting);
        const scopes = url.searchParams.get("scope")?.split(" ") ?? [];
        assert.includeMembers(scopes, ["https://outlook.office.com/IMAP.AccessAsUser.All", "offline_access"]);
        assert.match(tokens.identity.subject, new RegExp(`^${TENANT}\\.[0-9a-f-]{36}$`));
        assert.isTrue(tokens.identity.issuer.endsWith(`/${TENANT}/v2.0`));
        // The refresh token that was replaced stays valid for a while.
        const { refresh } = yield* AuthorizationServer;
        assert.isNotNull((yield* refresh(setting.app, tokens.refreshToken!)).refreshToken);
        assert.isNotNull((yield* refresh(setting.app, tokens.refreshToken!)).refreshToken);
      }),
    ),
  );

  it.effect("refuses an identity token of another issuer than its tenant's", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("microsoft");
        for (const claims of [{ tid: "72f988bf-86f1-41af-91ab-2d7cd011db48" }, { tid: undefined }, { tid: "../.." }]) {
          setting.provider.behave({ claims });
          assert.strictEqual((yield* Effect.flip(grantOf(setting)))._tag, "CallbackRejected");
        }
      }),
    ),
  );

  it.effect("reports a refusal by its number, and an address only if it is claimed", () =>
    overLoopback()(
      Effect.gen(function* () {
        const setting = yield* settingOf("microsoft");
        setting.provider.behave({ claims: { email: undefined } });
        assert.strictEqual((yield* grantOf(setting)).tokens.identity.address, USER);
        setting.provider.behave({ claims: { email: 7, preferred_username: "no address" } });
        const { tokens } = yield* grantOf(setting);
        assert.isNull(tokens.identity.address);
        const body = JSON.stringify({ error: "invalid_grant", error_description: "…", error_codes: [700082] });
        setting.provider.behave({ answers: { token: { _tag: "Answer", status: 400, body } } });
        const error = yield* Effect.flip((yield* AuthorizationServer).refresh(setting.app, tokens.refreshToken!));
        assert.deepInclude(error, { _tag: "GrantRefused", fault: "grant_expired" });
      }),
    ),
  );

  it.effect("signs as the app with the key of a certificate, and names the certificate by its thumbprint", () =>
    overLoopback()(
      Effect.gen(function* () {
        const certified = yield* certifiedKey;
        const client = { clientId: "postern", publicKey: certified.publicKey };
        const secret = keyOf(certified.pem);
        const { provider, app } = yield* settingOf("microsoft", { client }, { mode: "application", secret });
        const { issue } = yield* AuthorizationServer;
        yield* issue(app, AccountId(USER));
        const { parameters } = provider.requests()[0]!;
        assert.strictEqual(parameters.get("scope"), "https://outlook.office365.com/.default");
        assert.deepInclude(headerOf(parameters.get("client_assertion")), {
          alg: "PS256",
          "x5t#S256": certified.thumbprint,
        });
        const wrong = yield* Effect.flip(issue({ ...app, secret: keyOf(newKey().pem) }, AccountId(USER)));
        assert.deepInclude(wrong, { _tag: "AppMisconfigured", fault: "client_secret_wrong" });
      }),
    ),
  );

  it.each([
    [null, null, "https://login.microsoftonline.com/common/v2.0", "https://outlook.office.com/"],
    [null, "contoso.example", "https://login.microsoftonline.com/contoso.example/v2.0", "https://outlook.office.com/"],
    [
      "https://login.microsoftonline.us",
      TENANT,
      `https://login.microsoftonline.us/${TENANT}/v2.0`,
      "https://outlook.office365.us/",
    ],
    [
      "https://login.partner.microsoftonline.cn/",
      TENANT,
      `https://login.partner.microsoftonline.cn/${TENANT}/v2.0`,
      "https://partner.outlook.cn/",
    ],
  ])("in the cloud of %s asks tenant %s", (issuer, tenant, expected, resource) => {
    const app: OAuthApp = { ...hookApp(""), provider: "microsoft", issuer, tenant };
    const facts = factsOf(app);
    assert.strictEqual(facts.issuer, expected);
    for (const scope of facts.scopes.filter((each) => each.startsWith("https:"))) {
      assert.isTrue(scope.startsWith(resource), scope);
    }
    const authority = new URL(expected).origin;
    assert.isTrue(facts.isIssuer(`${authority}/${TENANT}/v2.0`));
    const isOneTenant = tenant !== null;
    assert.strictEqual(facts.isIssuer(`${authority}/{tenantid}/v2.0`), !isOneTenant);
    for (const other of [`https://elsewhere.example/${TENANT}/v2.0`, `${authority}/x/${TENANT}/v2.0`, authority]) {
      assert.isFalse(facts.isIssuer(other), other);
    }
    const otherTenant = TENANT.replace("7", "8");
    assert.strictEqual(facts.isIssuer(`${authority}/${otherTenant}/v2.0`), tenant !== TENANT);
  });
});

describe("any OpenID provider", () => {
  it.effect("takes an app's key, or no secret, if the app is registered so", () =>
    overLoopback()(
      Effect.gen(function* () {
        const { pem, publicKey } = newKey();
        const keyed = yield* settingOf("oidc", { client: { clientId: "keyed", publicKey } }, { secret: keyOf(pem) });
        const open = yield* settingOf("oidc", { client: { clientId: "public" } });
        for (const setting of [keyed, open]) {
          assert.strictEqual(
            setting.provider.userOf(Redacted.value((yield* grantOf(setting)).tokens.accessToken)),
            USER,
          );
        }
        const unread = { ...keyed, app: { ...keyed.app, secret: keyOf("-----BEGIN NOTHING-----") } };
        const error = yield* Effect.flip(grantOf(unread));
        assert.deepInclude(error, { _tag: "AppMisconfigured", fault: "client_secret_wrong" });
      }),
    ),
  );

  it.effect("is asked for the app's own scopes, without a consent prompt if no scope is for offline access", () =>
    overLoopback()(
      Effect.gen(function* () {
        const { url, tokens } = yield* grantOf(yield* settingOf("oidc", {}, { scopes: ["openid", "mail"] }));
        assert.strictEqual(url.searchParams.get("scope"), "openid mail");
        assert.isFalse(url.searchParams.has("prompt"));
        assert.isNull(tokens.refreshToken);
      }),
    ),
  );
});

/** A key with a certificate in one PEM file, as Microsoft's registration of a certificate needs it. */
const certifiedKey = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "certificate-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
).pipe(
  Effect.map((folder) => {
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const ask = "req -x509 -nodes -newkey rsa:2048 -days 2 -subj /CN=postern";
    execFileSync("openssl", [...ask.split(" "), "-keyout", key, "-out", certificate], { stdio: "pipe" });
    const pem = readFileSync(key, "utf8") + readFileSync(certificate, "utf8");
    const digest = execFileSync("openssl", [
      "x509",
      "-in",
      certificate,
      "-noout",
      "-fingerprint",
      "-sha256",
    ]).toString();
    const thumbprint = Buffer.from(digest.split("=")[1]!.replaceAll(/[:\s]/g, ""), "hex").toString("base64url");
    const publicKey = createPublicKey(readFileSync(key)).export({ type: "spki", format: "pem" }).toString();
    return { pem, publicKey, thumbprint };
  }),
);
