import { describe, expect, test } from "vitest";
import { CAT, DAN, type ProviderWorld } from "./oauth-world.ts";
import { pageVisitor, type VisitedPage } from "./page-visitor.ts";

const DONE = "https://app.example/done?tab=mail";

const signIn = (email = "") => `/oauth/sign-in/google${email === "" ? "" : `?email=${encodeURIComponent(email)}`}`;

/**
 * Opens a page that leads to a provider. Returns the consent URL, and a function that continues in the same browser.
 */
const beginAt = async ({ base }: ProviderWorld, path: string) => {
  const visit = pageVisitor(base);
  const { status, location } = await visit(path);
  expect(status).toBe(303);
  return { visit, url: location! };
};

/** Consents, and returns the answer to the callback. */
const consentAs = async (world: ProviderWorld, user: string, path: string) => {
  const { visit, url } = await beginAt(world, path);
  return visit(world.google.consent(url, user));
};

/** Expects a page that explains what happened and what to do, without connecting an account or signing in. */
const expectHelp = (page: VisitedPage, status: number, heading: string): void => {
  expect([page.status, page.heading, page.location]).toEqual([status, heading, null]);
  expect(page.html).toMatch(/<main>\s*<h1>.+<\/h1>\s*<p>[A-Z].{30,}\.<\/p>/s);
  expect(page.html).not.toContain("<script");
};

/** Begins consents in which another user consents than was asked for. They are answered after ten seconds. */
export const consentsOfAnother = async (world: ProviderWorld): Promise<ReadonlyArray<Promise<VisitedPage>>> => [
  consentAs(world, DAN, signIn(CAT)),
  consentAs(world, DAN, await world.link({ email: CAT, provider: "google", redirectUrl: DONE })),
];

/** Expects that these consents added no account. [S11.3-6] [S11.3-9] */
export const expectRefusedToAnother = async (
  world: ProviderWorld,
  consents: ReadonlyArray<Promise<VisitedPage>>,
): Promise<void> => {
  const [alone, linked] = await Promise.all(consents);
  expectHelp(alone!, 403, "The sign-in was refused");
  expectHelp(linked!, 403, "The mailbox did not open for this user");
  expect(linked!.html).toContain('href="https://app.example/done?tab=mail&amp;error=other_user"');
  const accounts = await world.asOperator("GET", "/api/accounts");
  expect(accounts.map(({ email }: { readonly email: string }) => email)).not.toContain(DAN);
};

/** Consents that fail, each in a browser without scripts. */
export const describeConsentRefusals = (world: () => ProviderWorld): void => {
  const begin = (path: string) => beginAt(world(), path);

  test("that the user refuses redirects to the application, or shows the refusal [S11.3-8]", async () => {
    const { visit, url } = await begin(
      await world().link({ provider: "google", email: CAT, redirectUrl: DONE, state: "a&b" }),
    );
    const { location } = await visit(world().google.consent(url, null));
    expect(location).toBe("https://app.example/done?tab=mail&error=access_denied&state=a%26b");
    const alone = await begin(signIn());
    expectHelp(await alone.visit(world().google.consent(alone.url, null)), 403, "You did not give your consent");
  });

  test("counts once, in the browser that began [S11.3-13]", async () => {
    const { visit, url } = await begin(signIn());
    const callback = world().google.consent(url, CAT);
    const elsewhere = await pageVisitor(world().base)(callback);
    expectHelp(elsewhere, 410, "This link can no longer be used");
    // After that, the callback still works in the right browser.
    expect((await visit(callback)).location).toBe("/#signed-in");
    expectHelp(await visit(callback), 410, "This link can no longer be used");
    const code = new URL(callback).searchParams.get("code");
    expect(
      world()
        .google.requests()
        .filter(({ parameters }) => parameters.get("code") === code),
    ).toHaveLength(1);
  });

  describe("whose callback was changed", () => {
    const CHANGES: ReadonlyArray<readonly [string, (callback: URL) => Promise<unknown> | unknown, number, string]> = [
      [
        "to the code of another consent",
        async ({ searchParams }) => {
          const other = await begin(signIn());
          searchParams.set("code", new URL(world().google.consent(other.url, DAN)).searchParams.get("code")!);
        },
        403,
        "The provider gave no access",
      ],
      [
        "to a code that was used",
        async ({ searchParams }) => {
          const other = await begin(signIn());
          const callback = world().google.consent(other.url, CAT);
          await other.visit(callback);
          searchParams.set("code", new URL(callback).searchParams.get("code")!);
        },
        403,
        "The provider gave no access",
      ],
      [
        "to another issuer",
        ({ searchParams }) => searchParams.set("iss", "https://evil.example"),
        400,
        "The answer of the provider cannot be used",
      ],
      [
        "to no code",
        ({ searchParams }) => searchParams.delete("code"),
        400,
        "The answer of the provider cannot be used",
      ],
      [
        "to two states",
        (callback) => callback.searchParams.append("state", "second"),
        400,
        "The answer of the provider cannot be used",
      ],
      [
        "to another state",
        ({ searchParams }) => searchParams.set("state", "guessed"),
        410,
        "This link can no longer be used",
      ],
    ];
    test.for(CHANGES)("%s is refused", async ([, change, status, heading]) => {
      const { visit, url } = await begin(signIn());
      const callback = new URL(world().google.consent(url, CAT));
      await change(callback);
      expectHelp(await visit(callback.href), status, heading);
    });
  });

  test.for([
    ["code_challenge_method", "plain"],
    ["code_challenge", "A".repeat(43)],
  ] as const)("asked for with another %s fails at the provider", async ([name, value]) => {
    const { visit, url } = await begin(signIn());
    const changed = new URL(url);
    changed.searchParams.set(name, value);
    const page = await visit(world().google.consent(changed.href, CAT));
    expect([403, 502]).toContain(page.status);
    expectHelp(page, page.status, page.heading);
  });

  test("redirects a browser only to the provider, the console or the address of the link", async () => {
    const provider = new URL(world().google.issuer).origin;
    const tricks = ["redirect=https://evil.example", "next=//evil.example", "redirect_uri=https://evil.example"];
    for (const trick of tricks) {
      const { visit, url } = await begin(`${signIn()}?${trick}`);
      expect(new URL(url).origin).toBe(provider);
      expect(new URL(url).searchParams.get("redirect_uri")).toBe(`${world().base}/oauth/callback`);
      const { location } = await visit(`${world().google.consent(url, CAT)}&${trick}`);
      expect(location).toBe("/#signed-in");
    }
    for (const app of ["%2F%2Fevil.example", "https:%2F%2Fevil.example", "unknown"]) {
      const page = await pageVisitor(world().base)(`/oauth/sign-in/${app}`);
      expectHelp(page, 404, "This way to sign in does not exist any more");
    }
    const malformed = await pageVisitor(world().base)("/oauth/sign-in/google?email=%22%3E%3Cimg%20src=x%3E");
    expectHelp(malformed, 400, "This is no e-mail address");
    expect(malformed.html).not.toContain("<img");
  });

  test("by an app of other domains is refused [S11.1-11]", async () => {
    const { visit, url } = await begin(`/oauth/sign-in/microsoft?email=${CAT}`);
    expectHelp(await visit(world().microsoft.consent(url, CAT)), 403, "This address cannot be connected here");
  });

  test("is not given for a link that was used [S11.3-1] [S11.3-4]", async () => {
    const link = await world().link({ email: CAT, provider: "google", redirectUrl: DONE });
    const location = (await consentAs(world(), CAT, link)).location!;
    expect(location).toMatch(/^https:\/\/app\.example\/done\?tab=mail&account=acc_/);
    expectHelp(await pageVisitor(world().base)(link), 410, "This link can no longer be used");
  });
};
