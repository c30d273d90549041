import { describe, expect, it } from "vitest";
import { ImapFlowErrorCode as Code } from "imapflow";
import { commandFailure, isProgrammingError } from "../src/connection/imap-failure.ts";

const failure = (code: string) => Object.assign(new Error("failed"), { code });

describe("a command that fails before it is sent", () => {
  it("is a failure of the server if the server closed the mailbox meanwhile", () => {
    const closed = failure(Code.NoMailboxSelected);
    expect(isProgrammingError(closed)).toBe(false);
    expect(commandFailure("fetch", closed)).toMatchObject({
      reason: "unreachable",
      operation: "fetch",
      detail: "NoMailboxSelected: failed",
    });
  });

  it.each([Code.InvalidStringValue, Code.InvalidSequenceSet, Code.MissingServerExtension])(
    "is a mistake of this program if it cannot be written: %s",
    (code) => expect(isProgrammingError(failure(code))).toBe(true),
  );
});
