import { describe, expect, it } from "vitest";
import { failureOf } from "../src/postgres/failure-of.ts";

const withCode = (code: string) => Object.assign(new Error("it failed"), { code });

describe("a failure of PostgreSQL's connection", () => {
  it.each([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "CERT_HAS_EXPIRED",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION",
  ])("means that it is unavailable (%s)", (code) => {
    expect(failureOf(withCode(code))).toBe("unavailable");
  });

  it.each(["ERR_INVALID_ARG_TYPE", "ERR_ASSERTION"])("is a defect of ours if Node says %s", (code) => {
    expect(failureOf(withCode(code))).toBe("defect");
  });
});
