import type { SeededRandom } from "../../../../timeline/SeededRandom.ts";

interface Signature {
  readonly domain: string;
  readonly selector: string;
  readonly value: string;
  readonly covers: boolean;
}

/** What the receiving server says of a signature. */
interface Verdict {
  readonly of: Signature;
  readonly passed: boolean;
  readonly names: "all" | "selector" | "beginning" | "domain" | "agent";
}

/** A message of a mailing list, and the way to leave the list that the specification promises. */
export interface ListMail {
  readonly raw: Uint8Array;
  readonly way: { readonly method: "one_click" | "mailto" | "link"; readonly url: string } | null;
}

const CLICK = "https://lists.test/leave?m=1";
const MAIL = "mailto:leave@lists.test?subject=off%201";
/** The URLs of List-Unsubscribe, with what they offer without a POST. */
const URLS = {
  [`<${CLICK}>`]: { method: "link", url: CLICK },
  [`<${MAIL}>, <${CLICK}>`]: { method: "mailto", url: MAIL },
  [`<${CLICK}>, <${MAIL}>`]: { method: "mailto", url: MAIL },
  [`<http://lists.test/leave>`]: { method: "link", url: "http://lists.test/leave" },
  [`<${MAIL}>`]: { method: "mailto", url: MAIL },
  "<mailto:one@lists.test,two@lists.test>": null,
} as const;

/**
 * Writes a message of a list, with signatures of one or two domains of which the receiving server accepted some and
 * names some exactly.
 */
export const writeListMail = (random: SeededRandom, messageId: string, to: string): ListMail => {
  const signatures: ReadonlyArray<Signature> = Array.from({ length: random.between(0, 4) }, (_, n) => ({
    domain: random.pick(["lists.test", "sender.test"]),
    selector: random.pick(["s1", "s2"]),
    value: `${String.fromCharCode(65 + n)}bcdefghijkl`,
    covers: random.chance(0.6),
  }));
  const verdicts: ReadonlyArray<Verdict> = random.some(signatures, 2).map((of) => ({
    of,
    passed: random.chance(0.8),
    names: random.pick(["all", "selector", "beginning", "domain", "domain", "agent"] as const),
  }));
  const [urls, otherwise] = random.pick(Object.entries(URLS))!;
  const asks = random.chance(0.85);
  const isDoubled = random.chance(0.1);
  const fields = [
    ...(verdicts.length === 0
      ? []
      : [`Authentication-Results: mx.sim.test; spf=pass; ${verdicts.map(lineOf).join("; ")}`]),
    // A result below the topmost one was not written by the receiving server.
    `Authentication-Results: mx.evil.test; dkim=pass header.d=lists.test`,
    ...signatures.map(fieldOf),
    `Message-ID: ${messageId}`,
    `From: A list <list@lists.test>`,
    `To: ${to}`,
    `Subject: ${messageId}`,
    `List-Unsubscribe: ${urls}`,
    ...(asks ? ["List-Unsubscribe-Post: List-Unsubscribe=One-Click"] : []),
    ...(asks && isDoubled ? ["List-Unsubscribe-Post: List-Unsubscribe=One-Click"] : []),
  ];
  const isCovered = verdicts.some((verdict) => {
    const { of, passed, names } = verdict;
    const possible = signatures.filter(
      ({ domain, selector, value }) =>
        domain === of.domain &&
        (names === "beginning"
          ? value === of.value
          : names === "domain" || names === "agent" || selector === of.selector) &&
        (names !== "all" || value === of.value),
    );
    return passed && possible.every(({ covers }) => covers);
  });
  const isOneClick = urls.includes(CLICK) && asks && !isDoubled && isCovered;
  return {
    raw: new TextEncoder().encode(`${fields.join("\r\n")}\r\n\r\nnews\r\n`),
    way: isOneClick ? { method: "one_click", url: CLICK } : otherwise,
  };
};

const lineOf = ({ of: { domain, selector, value }, passed, names }: Verdict): string => {
  const named = {
    all: ` header.s=${selector} header.b=${value.slice(0, 8)}`,
    selector: ` header.s=${selector}`,
    beginning: ` header.b=${value.slice(0, 8)}`,
    domain: "",
    agent: "",
  };
  const who = names === "agent" ? `header.i=@${domain}` : `header.d=${domain}`;
  return `dkim=${passed ? "pass" : "fail"} (2048-bit; key) ${who}${named[names]}`;
};

const fieldOf = ({ domain, selector, value, covers }: Signature): string =>
  `DKIM-Signature: v=1; a=rsa-sha256; d=${domain}; s=${selector}; h=From:To:Subject${covers ? ":List-Unsubscribe:List-Unsubscribe-Post" : ":List-Unsubscribe"}; b=${value}`;
