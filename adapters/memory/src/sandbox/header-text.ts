import { type Charset, encodeText } from "./charsets.ts";

/** Header text in ASCII: runs of words that are not become encoded words (RFC 2047), each of whole characters. */
export const encodedWords = (text: string, charset: Charset): string =>
  text.replaceAll(/\S*[^\x20-\x7e]\S*(?: +\S*[^\x20-\x7e]\S*)*/g, (run) => words(run, charset).join(" "));

/** At most 75 characters each. */
const words = (run: string, charset: Charset): ReadonlyArray<string> => {
  const most = Math.floor((75 - `=?${charset}?B??=`.length) / 4) * 3;
  const made: Array<string> = [];
  let taken = "";
  const finish = () => made.push(`=?${charset}?B?${Buffer.from(encodeText(taken, charset)).toString("base64")}?=`);
  for (const character of run) {
    if (taken !== "" && encodeText(taken + character, charset).length > most) {
      finish();
      taken = "";
    }
    taken += character;
  }
  finish();
  return made;
};

/** A field folded before words so that no line is longer than 78 characters, where its words allow (RFC 5322, 2.1.1). */
export const foldedField = (name: string, value: string): string => {
  let line = `${name}:`;
  let done = "";
  for (const word of value.split(" ")) {
    if (line.length + 1 + word.length > 78 && line !== `${name}:` && word !== "") {
      done += `${line}\r\n`;
      line = "";
    }
    line += ` ${word}`;
  }
  return done + line;
};

/** The name and address of a mailbox as a header shows it. */
export const mailboxText = (name: string, address: string, charset: Charset): string => {
  if (/[^\x20-\x7e]/.test(name)) return `${words(name, charset).join(" ")} <${address}>`;
  return /^[\w !#$%&'*+/=?^`{|}~-]*$/.test(name)
    ? `${name} <${address}>`
    : `"${name.replaceAll(/["\\]/g, "\\$&")}" <${address}>`;
};

/** A parameter of a MIME field, in UTF-8 where it is not ASCII (RFC 2231). */
export const parameter = (name: string, value: string): string =>
  /^[\x20-\x7e]*$/.test(value)
    ? `${name}="${value.replaceAll(/["\\]/g, "\\$&")}"`
    : `${name}*=utf-8''${encodeURIComponent(value).replaceAll(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)}`;

/** A date as headers write it, in UTC. */
export const headerDate = (at: number): string => new Date(at).toUTCString().replace("GMT", "+0000");
