import { assert, describe, it } from "@effect/vitest";
import { parseJobJson } from "../src/bounces/index.ts";
import { outgoingJson } from "../src/send/index.ts";
import type { StoredJson } from "../src/shared/index.ts";
import { endpointJson } from "../src/webhooks/index.ts";
import { Option } from "effect";

/** Reads a text and writes it again. */
const rewritten =
  <A>(json: StoredJson<A>) =>
  (text: string): Option.Option<string> =>
    Option.map(json.read(text), json.write);

/** Texts written by the first version. Never edit them: databases contain such texts. */
const WRITTEN: ReadonlyArray<readonly [name: string, again: ReturnType<typeof rewritten>, text: string]> = [
  [
    "a message",
    rewritten(outgoingJson.message),
    '{"id":"out_1","account":"me@x.test","messageId":"<1@x.test>","createdAt":1,"from":"me@x.test","to":["a@y.test"],"cc":[],"subject":"Grüße","recipients":[{"address":"a@y.test","state":"sent","reply":{"code":250,"enhanced":null,"text":"OK"}},{"address":"b@y.test","state":"queued","reply":null}],"step":1,"attemptAt":60001,"scheduledFor":null,"paused":null,"failure":{"reason":"unreachable","detail":"refused"},"copy":{"state":"owed","step":0,"at":2}}',
  ],
  [
    "a notice with a paused ladder",
    rewritten(outgoingJson.message),
    '{"id":"out_2","account":"me@x.test","kind":"notice","messageId":"<2@x.test>","createdAt":1,"from":"me@x.test","to":[],"cc":["a@y.test"],"subject":"","recipients":[{"address":"a@y.test","state":"dot","reply":null}],"step":0,"attemptAt":null,"scheduledFor":5,"paused":{"since":3,"version":1900000000000},"failure":null,"copy":{"state":"given_up","step":6,"at":null,"failure":{"reason":"over_quota","detail":"full"}}}',
  ],
  [
    "contents",
    rewritten(outgoingJson.contents),
    '{"from":{"name":"","address":"me@x.test"},"to":[{"name":"Jürgen","address":"a@y.test"}],"cc":[],"bcc":[],"replyTo":[],"subject":"s","text":"hi","html":null,"inReplyTo":null,"references":["<1@x>"],"headers":[["X-A","b"]],"attachments":[{"uploadId":"u","name":"n.txt","type":"text/plain","size":18,"contentId":null}],"size":1234}',
  ],
  [
    "an answer",
    rewritten(outgoingJson.answer),
    '{"outcome":"sent","id":"out_1","messageId":"<1@x.test>","rejected":[{"recipient":"b@y.test","status":"5.1.1","detail":"no such user"}],"detail":""}',
  ],
  ["no openings", rewritten(outgoingJson.opens), "{}"],
  [
    "openings",
    rewritten(outgoingJson.opens),
    '{"human":{"count":2,"lastEventAt":60000},"proxy":{"count":1,"lastEventAt":1}}',
  ],
  [
    "a job",
    rewritten(parseJobJson),
    '{"id":"7.1.me@x.test","account":"me@x.test","place":{"path":"INBOX","uidValidity":7,"uid":1},"arrivedAt":1,"seenAt":2,"failures":0,"delays":3}',
  ],
  [
    "a message with all fields",
    rewritten(outgoingJson.message),
    '{"id":"out_3","account":"me@x.test","messageId":"<3@x.test>","providerMessageId":"<p@x.test>","author":{"key":"k","application":"app"},"createdAt":1,"from":"me@x.test","to":["a@y.test"],"cc":[],"subject":"","recipients":[{"address":"a@y.test","state":"queued","reply":null}],"step":2,"attemptAt":9,"scheduledFor":null,"expiresAfter":7,"paused":null,"failure":null,"copy":{"state":"none","step":0,"at":null},"waitsFor":"smtp.y.test:25","isDelayed":true,"heldSince":4,"heldBy":"operator","heldMillis":3}',
  ],
  ["events", rewritten(endpointJson.events), '["email.sent","webhook.disabled"]'],
];

describe("the JSON of a store", () => {
  it.each(WRITTEN)("of version 1 is read and written unchanged: %s [S9.2-5]", (_, again, text) => {
    assert.deepStrictEqual(again(text), Option.some(text));
  });

  it.each(WRITTEN)("is not read if it is cut, of another type, or of a later version: %s", (_, again, text) => {
    for (const other of [text.slice(0, -1), "null", "7", text.replace("{", '{"v":2,').replace("[", "[7,")]) {
      assert.deepStrictEqual(again(other), Option.none(), other);
    }
  });
});
