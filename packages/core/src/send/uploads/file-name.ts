const MAX_NAME_CHARS = 255;
const MAX_ENDING_CHARS = 20;
/** The escapes for quotes and line ends in file names from browsers (HTML, multipart/form-data). */
const ESCAPED = /%22|%0d|%0a/gi;
const CONTROL = /\p{Cc}/gu;

/**
 * Returns a file name that is safe to send: without directories, line ends and control characters, at most 255
 * characters with its extension kept. Returns `file` if nothing is left.
 */
export const fileName = (given: string): string => {
  const whole = given
    .replace(ESCAPED, (escaped) => (escaped === "%22" ? '"' : ""))
    .replace(CONTROL, "")
    .toWellFormed();
  const name = whole.slice(Math.max(whole.lastIndexOf("/"), whole.lastIndexOf("\\")) + 1).trim();
  if (name === "" || name === "." || name === "..") return "file";
  if (name.length <= MAX_NAME_CHARS) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= MAX_ENDING_CHARS ? name.slice(dot) : "";
  // The cut may leave half of a surrogate pair, which is removed.
  return name.slice(0, MAX_NAME_CHARS - ending.length).replace(/[\ud800-\udbff]$/, "") + ending;
};
