import { describe, expect, it } from "vitest";
import { recognise } from "../../src/bounces/recognise.ts";
import type { HeaderField } from "../../src/mail/index.ts";
import { nested, part } from "./message.ts";

const STAFF: HeaderField = ["From", "staff@hotmail.com"];
const PERSON: HeaderField = ["From", "bob@x.test"];
const SUBJECT: HeaderField = ["Subject", "complaint about message from 192.0.2.1"];

const read = (headers: ReadonlyArray<HeaderField>, returned: ReadonlyArray<HeaderField> = []) =>
  recognise({
    headers,
    parts: [part("text/plain", "Hello"), nested([["To", "carol@x.test"], ["Message-ID", "<1@x.test>"], ...returned])],
  });
const complaint = (...recipients: ReadonlyArray<string>) => ({
  kind: "complaint",
  family: "jmrp",
  feedbackType: "abuse",
  recipients,
  reportingMta: null,
  returned: { messageIds: ["<1@x.test>"] },
});

describe("a junk mail report of Microsoft", () => {
  it.each(["X-HmXmrOriginalRecipient", "X-MS-Exchange-JMRP-Recipient"])(
    "is recognised by %s in its header or in the returned one",
    (name) => {
      expect(read([PERSON, [name, "bob@x.test"]])).toMatchObject(complaint("bob@x.test"));
      expect(read([PERSON], [[name, "bob@x.test"]])).toMatchObject(complaint("bob@x.test"));
    },
  );

  it("is recognised by its sender together with its subject", () => {
    expect(read([STAFF, SUBJECT])).toMatchObject(complaint("carol@x.test"));
    expect(read([STAFF, ["Subject", "Plan"]])).toMatchObject({ kind: "none" });
    expect(read([PERSON, SUBJECT])).toMatchObject({ kind: "none" });
  });

  it("names no recipient that it redacts", () => {
    expect(read([PERSON], [["X-HmXmrOriginalRecipient", "redacted@x.test"]])).toMatchObject(complaint("carol@x.test"));
  });
});
