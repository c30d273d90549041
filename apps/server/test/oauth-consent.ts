import type { OpenIdProvider } from "@postern/testkit";
import type { Ask } from "./ask-with-key.ts";

export const DONE = "https://app.example/done";

/** Opens a URL like a browser, with cookies, and follows redirects until one leads to `until`; otherwise returns the last page. */
export const browse = async (url: string, until: string, cookies = new Map<string, string>()) => {
  let at = url;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(at, { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set)!;
      cookies.set(name, value);
    }
    const to = answer.headers.get("location");
    if (to === null) return { url: at, status: answer.status, text: await answer.text(), cookies };
    at = new URL(to, at).href;
    if (at.startsWith(until)) return { url: at, status: answer.status, text: "", cookies };
  }
  throw new Error(`${url} is redirected too often`);
};

/** Connects an account by a link: the user opens the link and consents at the provider. Returns the last URL of the browser. */
export const connectByConsent = async (
  ask: Ask,
  provider: OpenIdProvider,
  link: { readonly email: string; readonly provider: string; readonly tags?: ReadonlyArray<string> },
) => {
  const { body } = await ask("POST", "/api/accounts/connect", { ...link, redirectUrl: DONE });
  provider.signIn(link.email);
  return browse(body.data.url, DONE);
};
