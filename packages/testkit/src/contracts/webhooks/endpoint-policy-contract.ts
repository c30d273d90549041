import { assert, layer } from "@effect/vitest";
import { EndpointPolicy, type UrlRefusal } from "@postern/core/webhooks";
import { Effect, type Layer, Option } from "effect";
import { WebhookReceivers } from "../../controls/WebhookReceivers.ts";

const refusalOf = Effect.fnUntraced(function* (url: string) {
  const refused = yield* Effect.option(Effect.flip((yield* EndpointPolicy).check(url)));
  return Option.getOrNull(Option.map(refused, ({ reason }): UrlRefusal => reason));
});

const REFUSED: ReadonlyArray<readonly [UrlRefusal, ReadonlyArray<string>]> = [
  ["malformed", ["", "hooks.example.com/in", "/in", "https://", "https://a b.example/", "https://exa%zzmple.com/"]],
  ["not_https", ["ftp://hooks.example.com/", "file:///etc/passwd", "javascript:alert(1)", "data:,x"]],
  [
    "userinfo",
    ["https://user@HOST/", "https://user:secret@HOST/", "https://:secret@HOST/", "https://@HOST/", "https:@HOST/"],
  ],
  [
    "name",
    [
      "https://localhost/",
      "https://localhost./",
      "https://intranet/",
      "https://printer.local/",
      "https://a.internal./",
      "https://a.localhost/",
      "https://ＬＯＣＡＬＨＯＳＴ/",
    ],
  ],
  [
    "address",
    [
      "https://10.1.2.3/",
      "https://192.168.0.1:8443/in",
      "https://169.254.169.254/latest/meta-data",
      "https://[::]/",
      "https://[::1]/",
      "https://[fd00::1]/",
      "https://[::ffff:10.0.0.1]/",
      "https://[64:ff9b::a00:1]/",
      "https://[2002:a00:1::]/",
      "https://0xa.1/",
      "https://167837697/",
      "https://①⓪.0.0.1/",
    ],
  ],
  ["unknown_name", ["https://missing.invalid/"]],
  ["too_long", [`https://HOST/${"x".repeat(2048)}`]],
];

/** The contract of `EndpointPolicy` (spec 7). */
export const endpointPolicyContract = <E>(
  name: string,
  ports: Layer.Layer<EndpointPolicy | WebhookReceivers, E>,
): void =>
  layer(ports, { excludeTestServices: true })(name, (it) => {
    it.effect("accepts https to a public name with any path, query and port", () =>
      Effect.gen(function* () {
        const { publicHost } = yield* WebhookReceivers;
        for (const url of [
          `https://${publicHost}`,
          `https://${publicHost}:8443/in?a=b@c#d`,
          `HTTPS://${publicHost}./@x`,
        ]) {
          assert.isNull(yield* refusalOf(url), url);
        }
      }),
    );

    it.effect("accepts http only in networks that the operator allowed [S7.7-1] [S1.3-21]", () =>
      Effect.gen(function* () {
        const receivers = yield* WebhookReceivers;
        assert.isNull(yield* refusalOf((yield* receivers.open({ status: 200 })).url));
        assert.strictEqual(yield* refusalOf(`http://${receivers.publicHost}/`), "not_https");
      }),
    );

    it.effect.each(REFUSED)("refuses for %s [S7.7-1]", ([reason, urls]) =>
      Effect.gen(function* () {
        const { publicHost } = yield* WebhookReceivers;
        for (const url of urls) {
          assert.strictEqual(yield* refusalOf(url.replace("HOST", publicHost)), reason, url);
        }
      }),
    );
  });
