import { Option, Result } from "effect";
import type { Address } from "../messages/MessageSummary.ts";
import { hostNameOf } from "../shared/AccountId.ts";
import { utf8Length } from "./utf8-length.ts";

/** The longest address, and the longest display name, in characters (security, bad input). */
export const MAX_ADDRESS_CHARS = 320;
const MAX_LOCAL_OCTETS = 64;

/** RFC 5322 atext, and beyond ASCII what RFC 6531 adds, without what is invisible. */
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const SPACE_BEYOND_ASCII = /[^\S ]/u;
/** What a display name may not have outside quotes: RFC 5322 specials, but for the dot everybody writes. */
const SPECIALS = /[()<>@[\]:;\\,"]/;

/**
 * The mailboxes of a header-like list, such as `a@b.c, "Roe, Jane" <jane@d.e>` (RFC 5322, 3.4): addr-specs and
 * name-addrs with commas between. Domains come out in A-label form, names without their quotes. Fails with what is
 * wrong. Groups, comments, domain literals, routes, empty entries and characters nobody sees are refused. Only the first
 * `most` entries are read.
 */
export const parseMailboxes = (text: string, most = Infinity): Result.Result<ReadonlyArray<Address>, string> =>
  Result.gen(function* () {
    if (INVISIBLE.test(text)) return yield* Result.fail("must have no control or invisible characters");
    const mailboxes: Array<Address> = [];
    for (const entry of (yield* entriesOf(text)).slice(0, most)) mailboxes.push(yield* mailboxOf(entry.trim()));
    return mailboxes;
  });

/** Cuts at the commas outside quotes and angle brackets, in one pass. */
const entriesOf = (text: string): Result.Result<ReadonlyArray<string>, string> => {
  const entries: Array<string> = [];
  let [start, quoted, angled] = [0, false, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === "\\") at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === "(" || character === ")") return Result.fail("must have no comments");
    else if (character === ":" || character === ";") return Result.fail("must have no groups");
    else if (character === "<" || character === ">") {
      if (angled === (character === "<")) return Result.fail("must have its angle brackets in pairs");
      angled = character === "<";
    } else if (character === "," && !angled) {
      entries.push(text.slice(start, at));
      start = at + 1;
    }
  }
  if (quoted || angled) return Result.fail("must close its quotes and angle brackets");
  return Result.succeed([...entries, text.slice(start)]);
};

const mailboxOf = (entry: string): Result.Result<Address, string> => {
  const named = /^((?:"(?:\\.|[^"\\])*"|[^"<])*)<([^]*)>$/u.exec(entry);
  if (named === null) return Result.map(addressOf(entry), (address) => ({ name: "", address }));
  return Result.gen(function* () {
    const name = yield* displayName(named[1]!.trim());
    return { name, address: yield* addressOf(named[2]!) };
  });
};

const displayName = (phrase: string): Result.Result<string, string> => {
  const outside = phrase.replaceAll(/"(?:\\.|[^"\\])*"/gu, " ");
  if (SPECIALS.test(outside)) return Result.fail("must have special characters of a name in quotes");
  const name = phrase
    .replaceAll(/"((?:\\.|[^"\\])*)"/gu, (_, quoted: string) => quoted.replaceAll(/\\(.)/gu, "$1"))
    .replaceAll(/\s+/gu, " ");
  return name.length > MAX_ADDRESS_CHARS
    ? Result.fail(`must have names of at most ${MAX_ADDRESS_CHARS} characters`)
    : Result.succeed(name);
};

/** An addr-spec with its domain in A-label form; a local part loses quotes it does not need. */
const addressOf = (spec: string): Result.Result<string, string> => {
  if (spec.length > MAX_ADDRESS_CHARS) return Result.fail(`must have at most ${MAX_ADDRESS_CHARS} characters`);
  const at = spec.lastIndexOf("@");
  const local = localPart(spec.slice(0, Math.max(at, 0)).normalize("NFC"));
  const domain = hostNameOf(spec.slice(at + 1));
  return local === undefined || Option.isNone(domain)
    ? Result.fail("must be an e-mail address")
    : Result.succeed(`${local}@${domain.value}`);
};

/** Angle brackets inside quotes are valid and never meant: envelopes are written between angle brackets. */
const localPart = (text: string): string | undefined => {
  const quoted = /^"((?:\\[ -~]|[ !#-[\]-~\u{80}-\u{10ffff}])*)"$/u.exec(text);
  const plain = quoted === null ? text : quoted[1]!.replaceAll(/\\(.)/gu, "$1");
  if (plain === "" || utf8Length(plain) > MAX_LOCAL_OCTETS || SPACE_BEYOND_ASCII.test(plain)) return undefined;
  if (DOT_ATOM.test(plain)) return plain;
  return quoted === null || /[<>]/.test(plain) ? undefined : `"${plain.replaceAll(/["\\]/g, "\\$&")}"`;
};

/** Whether an address can only be written where the server has SMTPUTF8 (RFC 6531). */
// eslint-disable-next-line no-control-regex
export const needsSmtpUtf8 = (address: string): boolean => /[^\0-\x7f]/.test(address);
