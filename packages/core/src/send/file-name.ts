const LONGEST = 255;
const LONGEST_ENDING = 20;
/** What browsers write for a quote and for line ends in the name of a file (HTML, multipart/form-data). */
const ESCAPED = /%22|%0d|%0a/gi;
const CONTROL = /\p{Cc}/gu;

/**
 * The name of a file as it may be sent: without folders before it, line ends or control characters, 255 characters at
 * most with its ending kept. What has no name left is called `file`.
 */
export const fileName = (given: string): string => {
  const whole = given
    .replace(ESCAPED, (escaped) => (escaped === "%22" ? '"' : ""))
    .replace(CONTROL, "")
    .toWellFormed();
  const name = whole.slice(Math.max(whole.lastIndexOf("/"), whole.lastIndexOf("\\")) + 1).trim();
  if (name === "" || name === "." || name === "..") return "file";
  if (name.length <= LONGEST) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= LONGEST_ENDING ? name.slice(dot) : "";
  // A character of two units may be cut in half.
  return name.slice(0, LONGEST - ending.length).replace(/[\ud800-\udbff]$/, "") + ending;
};
