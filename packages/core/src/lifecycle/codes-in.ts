import { wholeWords } from "./whole-words.ts";

/** The number of characters of a text that are searched for codes. */
const MAX_CHARS = 20_000;

/** If a code stands on its own line, the number of lines above and below in which a word may name the code. */
const [LINES_ABOVE, LINES_BELOW] = [4, 1];

/** The maximum number of characters between a code and the word that names the code, in one sentence. */
const MAX_DISTANCE = 90;

const NAMES = [
  "[\\p{L}-]{0,24}codes?|pins?|otp|tan|one[- ]time password|einmalpasswort|einmalkennwort",
  "mot de passe à usage unique|contraseña de un solo uso|senha de uso único|c[óo]digos?|clave|codice|cod(?:ul)?|parol[ăa]",
  "\\p{L}{0,24}kod(?:a|en|u|unuz?|unu)?|\\p{L}{0,24}kode[nrt]?|k[óo]d\\p{L}{0,3}|engangs\\p{L}{1,24}|lösenord",
  "\\p{L}{0,24}koodi\\p{L}{0,9}|şifre\\p{L}{0,9}|κωδικ\\p{L}{1,9}|код\\p{L}{0,9}|пароль|mã",
];

/** Words for a code, in scripts that do not separate words. */
const NAMES_INSIDE =
  "コード|暗証番号|ワンタイムパスワード|验证码|驗證碼|校验码|动态密码|인증\\s?번호|인증\\s?코드|코드|รหัส|رمز|الرمز|קוד|कोड|ओटीपी|পিন|কোড";

const NAME = new RegExp(`(?<![\\p{L}\\p{N}])(?:${NAMES.join("|")})(?![\\p{L}\\p{N}])|${NAMES_INSIDE}`, "giu");

/** Terms that contain a word for a code but do not name a sign-in code. */
const OTHER_CODES =
  /(?:zip|post(?:al)?|area|country|dial(?:l?ing)?|promo(?:tion(?:al)?)?|discount|coupon|voucher|gift|referral|invite|error|status|exit|source|dress|bar|qr|sort|swift|tax|product|item|color|colour|building|booking|tracking|morse|genetic)[- ]?codes?|code of conduct|code (?:promo|postal|barre|review|base|name)\w*|(?:gutschein|rabatt|aktions|fehler|quell|strich|qr-?|barcode|länder|buchungs)-?codes?|codici? (?:postale|fiscale|sconto)|c[óo]digos? (?:postal|de (?:descuento|barras|error|desconto|promoción))|kod (?:pocztowy|rabatowy|kreskowy)|(?:промо|штрих)-?код\p{L}*|код (?:ошибки|города)|errore? codice|codepen|codespace\w*|vscode|claude code/giu;

/** Words after which a number is not a code. */
const OTHER_NUMBERS =
  /(?<![\p{L}])(?:orders?|invoices?|tickets?|accounts?|references?|ref|cases?|customer|member(?:ship)?|policy|flight|zip|plz|phone|tel(?:efon)?|fax|call|dial|room|suite|since|ending in|ends in|endet auf|bestell\p{L}*|auftrag\p{L}*|rechnung\p{L}*|kunden\p{L}*|vorgang\p{L}*|factures?|commande|pedidos?|facturas?|fattura|ordine|zamówieni\p{L}+|заказ\p{L}*|счет\p{L}*|faktura|ordre|tilaus|sipariş|no|nr|num|№|copyright|version|build|port|iban|vat|po box|isbn)(?![\p{L}])[^\p{L}\p{N}]*(?:(?:number|nr|no|id|nummer|is|numéro|número|numer|n°|номер)[^\p{L}\p{N}]*)?$/iu;

/** Words before which a number is not a code. */
const COUNTED =
  /^\s?(?:[%€£$¥₽]|(?:usd|eur|gbp|chf|kb|mb|gb|px|km|kg|minutes?|mins?|hours?|days?|weeks?|years?|minuten|stunden|tage|heures|jours|minutos|horas|días|people|users|customers|points|items|messages|emails|steps|tokens|requests|participants|seats|followers)(?!\p{L}))/iu;

const GROUPED = String.raw`\d{3}[ \u00a0-]\d{3}(?:[ \u00a0-]\d{3})?|\d{4}[ \u00a0-]\d{4}|\d{2}[ \u00a0-]\d{2}[ \u00a0-]\d{2}|\d(?: \d){3,7}`;
const MARKED = String.raw`[A-Z]{1,2}-\d{4,8}`;
const LETTERED = String.raw`[A-Z0-9]{3,6}(?:-[A-Z0-9]{3,6}){1,3}|(?=[A-Z]{0,9}\d)(?=\d{0,9}[A-Z])[A-Z0-9]{4,10}`;
const CODE = new RegExp(
  String.raw`(?<![\w#@/+$€£¥-]|\d[.,:])(?:${MARKED}|${GROUPED}|${LETTERED}|\d{4,8})(?![\w@/+-]|[.,:]\d)`,
  "g",
);

/** A code with letters in both cases, or without digits. Such a code counts only if the line has no other text. */
const CODE_ON_OWN_LINE = new RegExp(
  String.raw`^(?:${MARKED}|${GROUPED}|${LETTERED}|\d{4,8}|[A-Z]{6,8}|(?=[A-Za-z]{0,9}\d)(?=\d{0,9}[A-Za-z])[A-Za-z0-9]{5,10})$`,
);

const YEAR = /^(?:19|20)\d\d$/;
const ADDRESS = /(?:https?:\/\/|www\.)\S+|[\w.+%-]{1,64}@\S+/gi;
const FRAME = /^[\s*_>|:»«„“”"'`=~()[\]{}–—-]+|[\s*_|:»«„“”"'`=~()[\]{}.–—-]+$/gu;

/**
 * Returns the codes for a sign-in or the confirmation of an address, in their order in the text. A code is a number of
 * 4 to 8 digits (blanks and hyphens are removed) or a short code with letters. A word such as "code", "PIN" or
 * "Einmalpasswort" must name the code in the same sentence or in a nearby line (spec 5.6).
 */
export const codesIn = (subject: string, text: string): ReadonlyArray<string> => {
  const lines = [subject, ...wholeWords(text, MAX_CHARS).split(/\r\n?|\n/)]
    .map((line) =>
      line
        .normalize("NFKC")
        .replaceAll(/[٠-٩۰-۹]/g, toAsciiDigit)
        .replaceAll(ADDRESS, " "),
    )
    .map((line) => line.replaceAll(OTHER_CODES, (words) => " ".repeat(words.length)).trim())
    .filter((line, n) => n === 0 || line !== "");
  const named = lines.map((line) => line.search(NAME) >= 0);
  const found = lines.flatMap((line, n) => {
    const bare = line.replaceAll(FRAME, "");
    if (!CODE_ON_OWN_LINE.test(bare)) return line.split(/(?<=[.!?;。！？])\s+|(?<=[。！？])/).flatMap(codesInSentence);
    const around = named.slice(Math.max(0, n - LINES_ABOVE), n + LINES_BELOW + 1);
    return around.includes(true) || (n <= LINES_ABOVE + 1 && named[0] === true) ? [bare] : [];
  });
  return [...new Set(found.map(withoutMarks))];
};

/** Returns the code nearest to a word that names a code, and the codes listed beside it. */
const codesInSentence = (sentence: string): ReadonlyArray<string> => {
  const names = [...sentence.matchAll(NAME)].map(({ index, 0: name }) => [index, index + name.length] as const);
  if (names.length === 0) return [];
  const codes = [...sentence.matchAll(CODE)].flatMap(({ index, 0: code }) => {
    const end = index + code.length;
    const [before, after] = [sentence.slice(0, index), sentence.slice(end)];
    const distance = Math.min(...names.map(([from, to]) => (from >= end ? from - end : Math.max(0, index - to))));
    const isInside = names.some(([from, to]) => index < to && end > from);
    const isOther = OTHER_NUMBERS.test(before) || COUNTED.test(after) || isPhone(before, code) || isInside;
    const isYear = YEAR.test(code) && distance > 5;
    return isOther || isYear || distance > MAX_DISTANCE ? [] : [{ code, index, end, distance }];
  });
  const nearest = codes.toSorted((one, other) => one.distance - other.distance)[0];
  if (nearest === undefined) return [];
  const at = codes.indexOf(nearest);
  const isListed = (n: number): boolean =>
    /^(?:\s*[,/|]\s*|\s+)$/.test(sentence.slice(codes[n]!.end, codes[n + 1]!.index));
  let [first, last] = [at, at];
  while (first > 0 && isListed(first - 1)) first--;
  while (last < codes.length - 1 && isListed(last)) last++;
  return codes.slice(first, last + 1).map(({ code }) => code);
};

/** Returns whether more digits directly precede the code, as in a telephone number. */
const isPhone = (before: string, code: string): boolean =>
  /^\d/.test(code) && /(?:\+\d[\d ()/-]*|\(\d+\)\s?|\d[ /-])$/.test(before);

const toAsciiDigit = (other: string): string => String(other.charCodeAt(0) & 0xf);

const withoutMarks = (code: string): string =>
  new RegExp(`^(?:${GROUPED})$`).test(code) ? code.replaceAll(/\D/g, "") : code.replace(/^[A-Z]{1,2}-(?=\d{4,8}$)/, "");
