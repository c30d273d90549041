export const DELIMITER = "/";

/** Fails where a mail server would answer NO. */
export const refuse = (why: string): never => {
  throw new Error(why);
};

/** Returns a path with INBOX in upper case; the name is case-insensitive, also as a parent. */
export const canonical = (path: string): string =>
  /^inbox(?=$|\/)/i.test(path) ? `INBOX${path.slice("INBOX".length)}` : path;

/** Returns the name for a path; throws if the path is none. */
export const validName = (path: string): string => {
  const parts = path.split(DELIMITER);
  if (parts.includes("") || parts.includes("..") || path.startsWith("~")) refuse(`${JSON.stringify(path)} is no name`);
  return canonical(path);
};

/** Returns the parents from the top down. */
export const parentsOf = (path: string): ReadonlyArray<string> => {
  const parts = path.split(DELIMITER);
  return parts.slice(1).map((_, n) => parts.slice(0, n + 1).join(DELIMITER));
};
