import { Result } from "effect";
import { describe, expect, it } from "vitest";
import {
  type AuthorizationParameters,
  isAccessLevel,
  readAuthorization,
  rightsOfChoice,
} from "../../src/assistants/authorization-request.ts";

const RESOURCE = "https://postern.example/mcp";
const challenge = "c".repeat(43);
const GOOD: AuthorizationParameters = {
  response_type: "code",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

/** Returns the preselected level of a request, or its error. */
const told = (over: AuthorizationParameters) =>
  Result.match(readAuthorization({ ...GOOD, ...over }, RESOURCE), {
    onSuccess: ({ suggested }) => suggested,
    onFailure: ({ error }) => error,
  });

describe("a request for authorization", () => {
  it("is read with its challenge, and suggests drafts if it names no scopes", () => {
    expect(readAuthorization(GOOD, RESOURCE)).toEqual(Result.succeed({ challenge, suggested: "draft" }));
  });

  it.each<[AuthorizationParameters, string]>([
    [{ response_type: "token" }, "unsupported_response_type"],
    [{ response_type: undefined }, "unsupported_response_type"],
    [{ code_challenge_method: "plain" }, "invalid_request"],
    [{ code_challenge_method: undefined }, "invalid_request"],
    [{ code_challenge: undefined }, "invalid_request"],
    [{ code_challenge: "c".repeat(42) }, "invalid_request"],
    [{ code_challenge: "c".repeat(44) }, "invalid_request"],
    [{ code_challenge: `${"c".repeat(42)}=` }, "invalid_request"],
    [{ code_challenge: `-_${"9".repeat(41)}` }, "draft"],
    [{ resource: RESOURCE }, "draft"],
    [{ resource: `${RESOURCE}/` }, "invalid_target"],
    [{ resource: "" }, "invalid_target"],
  ])("of %j is answered %s", (over, answer) => {
    expect(told(over)).toBe(answer);
  });

  it("has a state of at most 2,048 characters", () => {
    expect(told({ state: "s".repeat(2_048) })).toBe("draft");
    expect(told({ state: "s".repeat(2_049) })).toBe("invalid_request");
  });

  it.each([
    ["mail:read", "read"],
    [" mail:read  mail:read ", "read"],
    ["mail:read offline_access", "read"],
    ["mail:read mail:draft", "draft"],
    ["mail:draft", "draft"],
    ["mail:organize", "draft"],
    ["mail:send", "draft"],
    ["mail:write", "invalid_scope"],
    ["offline_access", "invalid_scope"],
    ["", "invalid_scope"],
    [" ", "invalid_scope"],
  ])("for the scopes %j preselects a choice or is refused: %s [S13.3-3]", (scope, answer) => {
    expect(told({ scope })).toBe(answer);
  });

  it("is refused with the reason that the client can show", () => {
    const reason = (over: AuthorizationParameters) =>
      Result.match(readAuthorization({ ...GOOD, ...over }, RESOURCE), {
        onSuccess: () => null,
        onFailure: ({ description }) => description,
      });
    expect(reason({ scope: "x" })).toBe("scope may have mail:read mail:draft mail:organize mail:send");
    expect(reason({ resource: "x" })).toBe("resource must be https://postern.example/mcp");
  });
});

describe("the choice of a person", () => {
  it.each([
    ["read", ["mail:read"]],
    ["draft", ["mail:read", "mail:draft"]],
    ["organize", ["mail:read", "mail:draft", "mail:organize"]],
  ] as const)("of the level %s gives these scopes, and mail:send only with sending", (level, scopes) => {
    expect(rightsOfChoice({ level, sendsTo: null })).toEqual({ scopes, sendPolicy: { to: [], approval: "always" } });
    expect(rightsOfChoice({ level, sendsTo: [] })).toEqual({
      scopes: [...scopes, "mail:send"],
      sendPolicy: { to: [], approval: "always" },
    });
    expect(rightsOfChoice({ level, sendsTo: ["thread", "@x.test"] })).toEqual({
      scopes: [...scopes, "mail:send"],
      sendPolicy: { to: ["thread", "@x.test"], approval: "outside" },
    });
  });

  it("is one of the levels", () => {
    expect(["read", "draft", "organize", "send", "toString", ""].map(isAccessLevel)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
