import { Option, Result } from "effect";
import type { Address } from "../mail/index.ts";
import { hostNameOf } from "../shared/index.ts";
import { MAX_ADDRESS_CHARS } from "../shared/rules.ts";
import type { NamedAddress } from "./SendRequest.ts";

const MAX_LOCAL_OCTETS = 64;
/** The maximum length of an entry that is parsed: a name and an address with every character quoted. Longer entries are refused. */
const MAX_ENTRY_CHARS = 4 * MAX_ADDRESS_CHARS;

/** RFC 5322 atext and the characters beyond ASCII of RFC 6531; invisible characters are refused separately. */
const DOT_ATOM = /^[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+(\.[\w!#$%&'*+/=?^`{|}~\u{80}-\u{10ffff}-]+)*$/u;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Characters that are invisible or not allowed in names. Names may contain U+200C and U+200D, because Persian and some emoji need them. */
const UNFIT_FOR_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u;
const SPACE_BEYOND_ASCII = /[^\S ]/u;
/** Characters not allowed in a display name outside quotes: RFC 5322 specials except the dot, which is common. */
const SPECIALS = /[()<>@[\]:;\\,"]/;

/**
 * Parses a comma-separated list of addr-specs and name-addrs, such as `a@b.c, "Roe, Jane" <jane@d.e>` (RFC 5322, 3.4).
 * Returns domains in A-label form and names without quotes. Refuses groups, comments, domain literals, routes, empty
 * entries and invisible characters; fails with a message.
 */
export const parseMailboxes = (text: string): Result.Result<ReadonlyArray<Address>, string> =>
  Result.flatMap(mailboxTexts(text), (entries) => Result.all(entries.map(parseMailbox)));

/** Splits a list of addresses into its unparsed entries. */
export const mailboxTexts = (text: string): Result.Result<ReadonlyArray<string>, string> =>
  INVISIBLE.test(text) ? Result.fail("must have no control or invisible characters") : entriesOf(text);

/** Parses one entry of a list of addresses, or a name with an addr-spec. */
export const parseMailbox = (mailbox: string | NamedAddress): Result.Result<Address, string> => {
  if (typeof mailbox === "string") return mailboxOf(mailbox.trim());
  const { name = "", address } = mailbox;
  if (UNFIT_FOR_A_NAME.test(name) || INVISIBLE.test(address))
    return Result.fail("must have no control or invisible characters");
  return Result.gen(function* () {
    return { name: yield* boundedName(name.trim()), address: yield* addressOf(address.trim()) };
  });
};

/** Splits a text at the commas outside quotes and angle brackets, in one pass. */
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
  if (entry.length > MAX_ENTRY_CHARS) return Result.fail(`must have at most ${MAX_ADDRESS_CHARS} characters`);
  const named = /^((?:"(?:\\.|[^"\\])*"|[^"<])*)<([^]*)>$/u.exec(entry);
  if (named === null) return Result.map(addressOf(entry), (address) => ({ name: "", address }));
  const [, phrase = "", spec = ""] = named;
  return Result.gen(function* () {
    const name = yield* displayName(phrase.trim());
    return { name, address: yield* addressOf(spec) };
  });
};

const displayName = (phrase: string): Result.Result<string, string> => {
  const outside = phrase.replaceAll(/"(?:\\.|[^"\\])*"/gu, " ");
  if (SPECIALS.test(outside)) return Result.fail("must have special characters of a name in quotes");
  return boundedName(
    phrase.replaceAll(/"((?:\\.|[^"\\])*)"/gu, (_, quoted: string) => quoted.replaceAll(/\\(.)/gu, "$1")),
  );
};

const boundedName = (text: string): Result.Result<string, string> => {
  const name = text.replaceAll(/\s+/gu, " ");
  return name.length > MAX_ADDRESS_CHARS
    ? Result.fail(`must have names of at most ${MAX_ADDRESS_CHARS} characters`)
    : Result.succeed(name);
};

/** Returns an addr-spec with its domain in A-label form, and with quotes only if it needs them. */
const addressOf = (spec: string): Result.Result<string, string> => {
  if (spec.length > MAX_ADDRESS_CHARS) return Result.fail(`must have at most ${MAX_ADDRESS_CHARS} characters`);
  const at = spec.lastIndexOf("@");
  const local = localPart(spec.slice(0, Math.max(at, 0)).normalize("NFC"));
  const domain = hostNameOf(spec.slice(at + 1));
  return local === undefined || Option.isNone(domain)
    ? Result.fail("must be an e-mail address")
    : Result.succeed(`${local}@${domain.value}`);
};

/**
 * Returns the local part. Refuses quoted angle brackets, which are valid but almost certainly a mistake, because
 * envelopes put addresses in angle brackets.
 */
const localPart = (text: string): string | undefined => {
  const quoted = /^"((?:\\[ -~]|[ !#-[\]-~\u{80}-\u{10ffff}])*)"$/u.exec(text);
  const plain = quoted?.[1]?.replaceAll(/\\(.)/gu, "$1") ?? text;
  if (plain === "" || utf8Length(plain) > MAX_LOCAL_OCTETS || SPACE_BEYOND_ASCII.test(plain)) return undefined;
  if (DOT_ATOM.test(plain)) return plain;
  return quoted === null || /[<>]/.test(plain) ? undefined : `"${plain.replaceAll(/["\\]/g, "\\$&")}"`;
};

/** Returns whether an address needs a server with SMTPUTF8 (RFC 6531). */
// eslint-disable-next-line no-control-regex
export const needsSmtpUtf8 = (address: string): boolean => /[^\0-\x7f]/.test(address);

/** Returns the length of a text in UTF-8 octets; a lone surrogate counts as U+FFFD. */
export const utf8Length = (text: string): number => {
  let octets = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    octets += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return octets;
};
