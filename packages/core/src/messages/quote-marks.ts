/** The marks that mail programs put around quoted and added text, in several languages (spec 12.3). */

const WROTE =
  "wrote|writes|schrieb(?: .{1,120})?|a écrit|escribi[óo]|ha scritto|escreveu|schreef(?: .{1,120})?|" +
  "het volgende geschreven|skrev(?: .{1,120})?|napisał\\(?a?\\)?|pisze|napsal\\(?a?\\)?|kirjoitti|написал\\(?а?\\)?|пишет|" +
  "كتب(?: .{1,120})?|a scris|írta|va escriure|έγραψε|napísala?|napisao|đã viết|yazdı|写道|寫道|書きました|のメール|님이 작성";

const OPENING = "on|am|le|el|il|em|op|den|la|στις|w dniu|dne|p[åa]|an|pe|ons?dag|في|在";

/** `On … wrote:` in one line. */
const ATTRIBUTION = new RegExp(
  `^(?:(?:${OPENING}) ?|.{0,40}\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{4}[年/-]).{0,300}(?:${WROTE})\\s?[:：]?$`,
  "iu",
);

/** `Name <address> writes:` */
const PERSON_WROTE = new RegExp(`^[^(<].{0,99}<[^\\s<>@]{1,64}@[^\\s<>@]{1,255}>.{0,60}(?:${WROTE})\\s?[:：]$`, "iu");

/** `Quoting Name <address>:` (Horde) */
const QUOTING = /^(?:quoting|zitat von|citando(?: a)?|citat från|citaat van|cytowanie) .{1,200}:$/iu;

const OPENS = new RegExp(`^(?:(?:${OPENING}) |.{0,12}\\d)`, "iu");

const DATE = /\b(?:19|20)\d\d\b|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/;
const CLOCK = /(?<![\d.])\d{1,2}[:h.]\d{2}(?!\d|\.\d)/;
const ADDRESS = /<[^\s<>@]{1,64}@[^\s<>@]{1,255}>/;

/** Direction marks around names and addresses (Gmail in Hebrew and Arabic). */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns whether a line is an attribution, which states the author and the time of the quote below it. */
export const isAttribution = (written: string): boolean => {
  const line = written.slice(0, 1_000).replaceAll(DIRECTIONS, "");
  return (
    line.length <= 600 &&
    (ATTRIBUTION.test(line) ||
      PERSON_WROTE.test(line) ||
      QUOTING.test(line) ||
      (/[:：]$/.test(line) && DATE.test(line) && (ADDRESS.test(line) || (OPENS.test(line) && CLOCK.test(line)))))
  );
};

/** Returns whether a line begins an attribution that the next line ends: the line has the date and is not a sentence. */
export const beginsAttribution = (line: string): boolean =>
  OPENS.test(line) && DATE.test(line) && /(?:,|\d{1,2}[:h.]\d{2}(?: ?[ap]\.?m\.?)?)$/iu.test(line.trim());

/** Returns whether a line may be part of an attribution that continues on the next lines. */
export const mayBeAttribution = (line: string): boolean => OPENS.test(line) || DATE.test(line);

/** Returns whether a line is the attribution of a quote whose lines have no quote marks (Yahoo, Zoho). */
export const isFullAttribution = (line: string): boolean => {
  // The quoted text may begin on the same line (Yahoo for Android).
  const words = line
    .slice(0, 1_000)
    .trim()
    .replace(/^-{2,} ?/, "")
    .replace(/(?<=[:：])\s{2,}\S.*/, "");
  return (
    words.length <= 400 &&
    OPENS.test(words) &&
    [DATE, CLOCK, ADDRESS, /[:：]$| -{2,}$/].every((mark) => mark.test(words))
  );
};

/** The line above an original message or a forward: dashes, usually around some words. */
const DIVIDER = /^(?:-{2,} ?[^-\s](?:[^-]|-(?!-)){1,38}-{2,}|-{5,}|_{5,}|={5,})$/u;

const FORWARD =
  /^(?:begin forwarded message|anfang der weitergeleiteten nachricht|début du message réexpédié|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|início da mensagem reencaminhada|początek przekazywanej wiadomości)\s?:$/iu;

/** The divider that a mail program puts above an original message, even if it adds no header. */
const ORIGINAL =
  /^-{2,} ?(?:original (?:message|e-?mail|appointment)|originalnachricht|ursprüngliche nachricht|message d[’']origine|message original|mensaje original|messaggio originale|oorspronkelijk bericht|mensagem original|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|(?:oryginalna wiadomość|wiadomość oryginalna)|původní zpráva|eredeti üzenet|исходное сообщение|orijinal (?:mesaj|ileti)|原始邮件|原始郵件|元のメッセージ|원본 메시지) ?-{2,}$/iu;

/** Returns whether a line certainly announces an original message. */
export const isOriginal = (line: string): boolean => ORIGINAL.test(line.trim());

/** The end of a sentence before the start of an attribution in the same line. */
const SENTENCE_BEFORE = new RegExp(`^(.*[.!?…][)"'”’]? +)(?=(?:${OPENING}) )(\\p{Lu}.*)$`, "iu");

/**
 * Returns the author's text before an attribution in the same line, and the attribution; undefined for other lines.
 * Such lines occur because some programs omit the line break.
 */
export const wordsBeforeAttribution = (line: string): readonly [words: string, attribution: string] | undefined => {
  const [, words, attribution] = (line.length <= 1_000 && SENTENCE_BEFORE.exec(line)) || [];
  return words === undefined || attribution === undefined || !isAttribution(attribution)
    ? undefined
    : [words.trimEnd(), attribution];
};

/** Returns whether a line announces an original message. */
export const isDivider = (line: string): boolean => DIVIDER.test(line.trim()) || FORWARD.test(line.trim());

/** Returns a pattern for the start of a header field with one of these names; below a divider, the colon may be missing (eM Client). */
const field = (names: string) => {
  const name = `^[*>\\s]{0,4}(?:${names})`;
  return { colon: new RegExp(`${name}\\*?\\s?[:：]`, "iu"), blank: new RegExp(`${name}(?:\\*?\\s?[:：]|\\s)`, "iu") };
};

const FROM_FIELD = field(
  "من|από|de la|from|von|de|da|van|från|fra|od|lähettäjä|feladó|kimden|от|від|差出人|发件人|寄件者|보낸 사람",
);
const SUBJECT = field(
  "subject|betreff|objet|sujet|asunto|assunto|oggetto|onderwerp|ämne|emne|aihe|temat|předmět|tárgy|konu|тема|件名|主题|主旨|제목|subiect|assumpte|θέμα|الموضوع",
);
const OTHER_FIELD = field(
  "sent|date|to|cc|gesendet|datum|dato|an|kopie|envoyé|à|pour|copie(?: à)?|enviado(?: el)?|enviad[ao](?: em)?|fecha|para|data|inviato|a|verzonden|" +
    "aan|skickat|till|sendt|til|lähetetty|vastaanottaja|kopio|wysłan[oe]|do|dw|odesláno|komu|küldve|címzett|gönderil(?:me|di)|" +
    "tarih|kime|отправлено|надіслано|дата|кому|送信日時|日付|宛先|发送时间|日期|收件人|抄送|收件者|보낸 날짜|받는 사람|trimis|către|elküldve|στάλθηκε|προς|κοιν|enviat(?: el)?|per a|التاريخ|إلى",
);

/**
 * Returns whether the header of an original message begins at the first of these lines. Without a divider above, the
 * header must have the author, a date with a time, and a subject or an address. Fewer fields could belong to a form
 * with fields of these names.
 */
export const isHeader = (lines: ReadonlyArray<string>, isAnnounced: boolean): boolean => {
  const has = (line: string, { colon, blank }: typeof FROM_FIELD) => (isAnnounced ? blank : colon).test(line);
  const near = lines.filter((line) => line.trim() !== "");
  const other = near.findIndex((line) => ![FROM_FIELD, SUBJECT, OTHER_FIELD].some((name) => has(line, name)));
  const fields = other === -1 ? near : near.slice(0, other);
  const from = fields.find((line) => has(line, FROM_FIELD));
  if (fields.length < 3 || from === undefined) return false;
  return (
    isAnnounced ||
    (fields.some((line) => DATE.test(line) && CLOCK.test(line)) &&
      (from.includes("@") || fields.some((line) => has(line, SUBJECT))))
  );
};

/** A sentence by which the author refers to answers within the quoted text. */
export const ANSWERED_BELOW = new RegExp(
  [
    "\\b(?:in-?line|below|in (?:the|your) (?:text|mail|email|message)|in (?:red|blue|green|bold|italics|capitals|caps|colou?r)|",
    "marked|embedded|inserted|(?:my|our|see|the) (?:comments|answers|responses|replies|remarks)|after each|",
    "between the lines|interspersed|",
    "unten|meine (?:antworten|anmerkungen|kommentare)|im text|(?:in )?(?:rot|blau|grün|farbig)|markiert|zwischen den zeilen|",
    "ci-dessous|mes (?:réponses|commentaires|remarques)|ci-après|dans le (?:corps|texte)|en (?:rouge|bleu|vert|gras)|",
    "abajo|a continuación|mis (?:respuestas|comentarios)|en el texto|en (?:rojo|azul|verde|negrita)|",
    "sotto|di seguito|mie risposte|miei commenti|nel testo|in (?:rosso|blu|grassetto)|",
    "hieronder|mijn (?:antwoorden|opmerkingen|reacties)|in de tekst|tussen de regels|in het (?:rood|blauw)|",
    "abaixo|a seguir|minhas respostas|meus comentários|no texto|em (?:vermelho|azul)|",
    "in großbuchstaben|en majuscules|en mayúsculas|in maiuscolo|em maiúsculas|in hoofdletters|wielkimi literami|versaler|заглавными|",
    "w treści|na czerwono|nedan|nedenfor|ниже|в тексте)(?![\\p{L}])|",
    "poniżej|以下|下記|インライン|赤字|青字|本文中|见下|如下|红[字色]|蓝[字色]|文中|如文|回复见|아래|본문에|\\[[\\p{Lu}]{2,4}\\]",
  ].join(""),
  "iu",
);

/** A line of an answer within a history without quote marks. It starts with its author's initials or an arrow. */
export const MARKED_ANSWER = /^\s*(?:\[(?!EXT|FYI|RE|FW)\p{Lu}{2,3}\]|[-=]{1,3}>)\s*\p{L}/u;
