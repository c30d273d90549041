const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns the wait of a `Retry-After` field in milliseconds (RFC 9110, 10.2.3); null if it cannot be used. */
export const retryAfterOf = (field: string | ReadonlyArray<string> | undefined, now: number): number | null => {
  if (typeof field !== "string") return null;
  if (/^\d{1,12}$/.test(field)) return Number(field) * 1000;
  const at = HTTP_DATE.test(field) ? Date.parse(field) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
};
