import { assert, describe, it } from "@effect/vitest";
import { Effect, Layer, Result } from "effect";
import { AuditTrail } from "../../src/audit/Audit.ts";
import { Unsubscription } from "../../src/lifecycle/Unsubscription.ts";
import type { HeaderField } from "../../src/mail/index.ts";
import { Messages, type ReadMessage } from "../../src/messages/index.ts";
import type { UnsubscribeWay } from "../../src/messages/neighbours.ts";
import { ApprovalNeeded } from "../../src/send/agents/check-agent.ts";
import { MessageSender } from "../../src/send/index.ts";
import { type DeliveryOutcome, type WebhookPost, WebhookSender } from "../../src/webhooks/index.ts";
import { answered } from "../webhook-doubles.ts";
import { ME } from "./accounts-in-memory.ts";

declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

const LIST = "https://news.test/off?u=42";
const list = (value: string): HeaderField => ["List-Unsubscribe", value];
const ONE_CLICK: ReadonlyArray<HeaderField> = [
  ["Authentication-Results", "mx.x.test; dkim=pass header.d=news.test header.s=s1"],
  ["DKIM-Signature", "v=1; d=news.test; s=s1; b=NDU2; h=From:List-Unsubscribe:List-Unsubscribe-Post; bh=MTIz"],
  list(`<mailto:leave@news.test>, <${LIST}>`),
  ["List-Unsubscribe-Post", "List-Unsubscribe=One-Click"],
];

/** Leaves the list of a message with these headers, or of a damaged message; returns the result, and what was done. */
const leave = (
  headers: ReadonlyArray<HeaderField> | null,
  {
    only,
    outcome = answered(200),
    needsApproval = false,
  }: { only?: UnsubscribeWay["method"]; outcome?: DeliveryOutcome; needsApproval?: boolean } = {},
) =>
  Effect.gen(function* () {
    const did: Array<unknown> = [];
    const note = (what: unknown) => Effect.sync(() => void did.push(what));
    const parsed = headers === null ? Result.fail("damaged") : Result.succeed({ headers });
    const layer = Unsubscription.layer.pipe(
      Layer.provide([
        Layer.mock(Messages, { read: (_, id) => Effect.succeed({ id, parsed } as unknown as ReadMessage) }),
        Layer.mock(MessageSender, {
          send: (account, { to, subject, text }, _, by) =>
            needsApproval
              ? Effect.fail(new ApprovalNeeded())
              : Effect.as(note([account, to, subject, text, by]), {} as never),
        }),
        Layer.mock(WebhookSender, {
          send: ({ body, ...post }: WebhookPost) =>
            Effect.as(note({ ...post, body: new TextDecoder().decode(body) }), outcome),
        }),
      ]),
    );
    const leaving = Effect.flatMap(Unsubscription, ({ unsubscribe }) => unsubscribe(ME, "m1", null, only)).pipe(
      Effect.provide(layer),
      Effect.provideService(AuditTrail, (operation, { account, target }) => note(`${operation} ${account} ${target}`)),
    );
    const result = yield* Effect.match(leaving, {
      onSuccess: (way): unknown => way,
      onFailure: (error) => (error._tag === "UnsubscribeFailed" ? [error._tag, error.reason, error.url] : error._tag),
    });
    return { result, did };
  });

const AUDITED = `answers.unsubscribe ${ME} m1`;

describe("leaving the list of a message", () => {
  it.effect("by one click posts only the words of RFC 8058, after an entry in the audit [S5.8-3]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* leave(ONE_CLICK), {
        result: { method: "one_click", url: LIST },
        did: [
          AUDITED,
          {
            endpointId: "unsubscribe",
            url: LIST,
            headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "Postern" },
            body: "List-Unsubscribe=One-Click",
          },
        ],
      });
    }),
  );

  it.effect("fails with the status or the fault of the post, and keeps the entry [S5.8-3]", () =>
    Effect.gen(function* () {
      for (const [outcome, reason] of [
        [answered(404), "status 404"],
        [answered(302), "status 302"],
        [answered(200, { errorCode: "timeout" }), "timeout"],
      ] as const) {
        const { result, did } = yield* leave(ONE_CLICK, { outcome });
        assert.deepStrictEqual([result, did[0], did.length], [["UnsubscribeFailed", reason, LIST], AUDITED, 2]);
      }
    }),
  );

  it.effect("by a mail sends it within the policy of the key [S5.8-4]", () =>
    Effect.gen(function* () {
      const headers = [list("<mailto:leave@news.test?subject=leave%2042>")];
      const way = { method: "mailto", url: "mailto:leave@news.test?subject=leave%2042" };
      assert.deepStrictEqual(yield* leave(headers), {
        result: way,
        did: [[ME, "leave@news.test", "leave 42", "unsubscribe", null]],
      });
      assert.deepStrictEqual(yield* leave(headers, { needsApproval: true }), { result: "OutsidePolicy", did: [] });
    }),
  );

  it.effect("by a link sends nothing [S5.8-5]", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* leave([list(`<${LIST}>`)]), { result: { method: "link", url: LIST }, did: [] });
    }),
  );

  it.effect(
    "is refused if the message offers no way, not the only way that is wanted, or cannot be read [S5.8-1]",
    () =>
      Effect.gen(function* () {
        const refused = { result: "UnsubscribeNotOffered", did: [] };
        assert.deepStrictEqual(yield* leave([]), refused);
        assert.deepStrictEqual(yield* leave(null), refused);
        assert.deepStrictEqual(yield* leave(ONE_CLICK, { only: "mailto" }), refused);
        assert.deepStrictEqual(yield* leave([list(`<${LIST}>`)], { only: "one_click" }), refused);
        assert.lengthOf((yield* leave(ONE_CLICK, { only: "one_click" })).did, 2);
      }),
  );
});
