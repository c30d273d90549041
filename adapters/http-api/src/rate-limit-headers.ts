import type { SendRateExceeded } from "@postern/core/send";

/** Header fields of a 429 (draft-ietf-httpapi-ratelimit-headers): the policies, and the one that was exceeded. */
export const rateLimitHeaders = ({ window, retryAfter, perMinute, perDay }: SendRateExceeded) => {
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000));
  return {
    "retry-after": `${seconds}`,
    ratelimit: `"${window}";r=0;t=${seconds}`,
    "ratelimit-policy": `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`,
  };
};
