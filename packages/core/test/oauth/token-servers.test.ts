import { describe, expect, it } from "vitest";
import { appOf, type OAuthAppInput, tokenServersOf } from "../../src/oauth/index.ts";
import { AccountId } from "../../src/shared/index.ts";

const app = (input: Partial<OAuthAppInput>) => {
  const read = appOf({ id: "a", provider: "google", clientId: "c", ...input });
  if ("faults" in read) throw new Error(JSON.stringify(read.faults));
  return read.app;
};
const oidc = app({ provider: "oidc", issuer: "https://id.example" });

const serversOf = (one: ReturnType<typeof app>, account: string, consentOf?: string) =>
  tokenServersOf(
    {
      app: one,
      issued: consentOf === undefined ? null : ({ identity: { address: consentOf } } as never),
    },
    AccountId(account),
  );
const hostOf = (one: ReturnType<typeof app>, account: string) => serversOf(one, account).named?.imap.host ?? null;

describe("the servers that see the tokens of an app", () => {
  it("are those that the operator named for it, wherever the address lives [S11.2-7]", () => {
    const server = { host: "own.example", port: 993, security: "tls" } as const;
    expect(hostOf(app({ imap: server, smtp: server }), "me@gmail.com")).toBe("own.example");
  });

  it("are those of its provider, also for a domain that publishes nothing [S11.2-7]", () => {
    expect(hostOf(app({}), "me@gmail.com")).toBe("imap.gmail.com");
    expect(hostOf(app({}), "me@x.example")).toBe("imap.gmail.com");
    expect(hostOf(app({ provider: "microsoft" }), "me@x.example")).toBe("outlook.office365.com");
    expect(serversOf(app({}), "me@x.example").named).toMatchObject({
      imap: { origin: "account" },
      smtp: { origin: "account" },
    });
  });

  it("are never those of another provider, even if the address belongs to its domain", () => {
    expect(hostOf(app({}), "me@outlook.com")).toBe("imap.gmail.com");
    expect(hostOf(app({ provider: "microsoft" }), "me@gmail.com")).toBe("outlook.office365.com");
  });

  it("are those of the address's domain if the provider has several", () => {
    const smtpOf = (account: string) => serversOf(app({ provider: "microsoft" }), account).named?.smtp.host;
    expect(smtpOf("me@outlook.com")).toBe("smtp-mail.outlook.com");
    expect(smtpOf("me@x.example")).toBe("smtp.office365.com");
    // Yahoo takes tokens too, but of its own apps.
    expect(smtpOf("me@yahoo.com")).toBe("smtp.office365.com");
  });

  it("are not known for another provider that speaks OpenID Connect", () => {
    expect(hostOf(oidc, "me@x.example")).toBeNull();
  });

  it("are discovered only for the consent of a user of the same domain [S11.2-7]", () => {
    expect(serversOf(oidc, "me@x.example", "you@x.example").mayDiscover).toBe(true);
    expect(serversOf(oidc, "me@x.example").mayDiscover).toBe(true);
    expect(serversOf(oidc, "me@x.example", "me@evil.example").mayDiscover).toBe(false);
    const own = app({ mode: "application", clientSecret: "s", domains: ["x.example"] });
    expect(serversOf(own, "me@x.example").mayDiscover).toBe(false);
    expect(serversOf(own, "me@x.example").app).toBe("a");
  });
});
