import { useState } from "react";
import { markText, t } from "../../texts/text.ts";
import { Choice } from "../../ui/forms/Choice.tsx";
import { Copy } from "../../ui/Copy.tsx";

const SNIPPETS = {
  client: {
    name: markText("JavaScript, with @postern/client"),
    code: `import { verifyWebhook } from "@postern/client/webhooks";

// body: the request's bytes as they came, before any parsing.
const event = await verifyWebhook({ body, headers, secret: process.env.WEBHOOK_SECRET });`,
  },
  node: {
    name: markText("Node.js, without a library"),
    code: `import { createHmac, timingSafeEqual } from "node:crypto";

// body: the request's bytes as they came, before any parsing.
const expected = "sha256=" + createHmac("sha256", process.env.WEBHOOK_SECRET).update(body).digest("hex");
const given = req.headers["x-service-signature"] ?? "";
const isOurs = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));`,
  },
  python: {
    name: markText("Python"),
    code: `import hashlib, hmac, os

# body: the request's bytes as they came, before any parsing.
expected = "sha256=" + hmac.new(os.environ["WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()
is_ours = hmac.compare_digest(headers.get("X-Service-Signature", ""), expected)`,
  },
} as const;

type Language = keyof typeof SNIPPETS;

/** Code samples that verify a webhook's signature (spec 3.2). */
export const Verification = () => {
  const [language, setLanguage] = useState<Language>("client");
  const { code } = SNIPPETS[language];
  return (
    <section className="verification" aria-label={t("Verify signatures")}>
      <h2>{t("Verify signatures")}</h2>
      <div className="verification-head">
        <Choice
          label={t("Language")}
          hideLabel
          value={language}
          onChange={(id) => setLanguage(id as Language)}
          options={Object.entries(SNIPPETS).map(([id, { name }]) => ({ id, name: t(name) }))}
        />
        <Copy text={code} label={t("Copy the example")} />
      </div>
      <pre className="code" tabIndex={0} aria-label={t("Example")}>
        {code}
      </pre>
    </section>
  );
};
