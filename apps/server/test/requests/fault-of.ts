import type { WireRequest } from "./hostile.ts";
import type { WireAnswer } from "./ask.ts";

/** Returns the fault of an answer to any request; undefined if there is none. */
export const faultOf = ({ method }: WireRequest, { status, headers, text }: WireAnswer): string | undefined => {
  const requestId = headers["x-request-id"];
  if (status >= 500) return `status ${status}`;
  if (typeof requestId !== "string" || requestId === "") return "no X-Request-Id";
  if (status < 400 || method === "HEAD") return undefined;
  if (headers["content-type"] !== "application/problem+json") return `a problem as ${headers["content-type"]}`;
  const problem = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const texts = ["type", "title", "code"].every((name) => typeof problem[name] === "string");
  if (!texts || problem["ok"] !== false || problem["status"] !== status) return "no problem of RFC 9457";
  if (problem["requestId"] !== requestId) return "another request id in the body";
  if (status === 400 && !Array.isArray(problem["errors"])) return "400 without errors";
  return undefined;
};
