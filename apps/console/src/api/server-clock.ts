let aheadMillis = 0;

/** Reads the clock of the service from an answer, because the clock of the browser may be wrong by minutes. */
export const noteServerTime = (answer: Response): Response => {
  const at = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(at)) aheadMillis = at - Date.now();
  return answer;
};

/** Returns the current time by the clock of the service, with an error of about a second. */
export const serverNow = (): number => Date.now() + aheadMillis;
