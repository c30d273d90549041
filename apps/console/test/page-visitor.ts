/** A page that a browser without scripts gets. */
export interface VisitedPage {
  readonly status: number;
  /** The target of a redirect; null if the answer is no redirect. */
  readonly location: string | null;
  readonly heading: string;
  readonly html: string;
}

/** Returns a browser without scripts, which keeps cookies and follows no redirect by itself. */
export const pageVisitor = (base: string) => {
  const cookies = new Map<string, string>();
  return async (url: string): Promise<VisitedPage> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(new URL(url, base), { redirect: "manual", headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [name, value] = set.split(";")[0]!.split("=");
      cookies.set(name!, value!);
    }
    const html = await answer.text();
    const heading = /<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? "";
    return { status: answer.status, location: answer.headers.get("location"), heading, html };
  };
};
