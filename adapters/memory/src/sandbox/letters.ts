/** What people write about: a subject, and what they say. */
export interface Letter {
  readonly subject: string | null;
  readonly text: string;
  readonly html?: string;
  readonly file?: "pdf" | "csv" | "ics" | "png";
}

/** The talk of a working year. */
export const LETTERS: ReadonlyArray<Letter> = [
  { subject: "Minutes of Tuesday", text: "Hello,\n\nthe minutes are attached. Please correct what I got wrong before Friday.\n\nAda", file: "pdf" },
  { subject: "Lunch on Thursday?", text: "The place by the canal has opened again. Half past twelve?" },
  { subject: "Grundriss, dritter Versuch", text: "Hallo,\n\nanbei der geänderte Grundriss. Die Küche ist jetzt nach Süden gerückt.\n\nViele Grüße\nJörg", file: "pdf" },
  { subject: "会議の議事録", text: "お疲れさまです。\n\n先日の会議の議事録をお送りします。ご確認ください。\n\n田中" },
  { subject: "Отчёт за квартал", text: "Добрый день!\n\nОтчёт во вложении, цифры сверены с бухгалтерией.\n\nОльга", file: "csv" },
  { subject: "Ξεκινάμε 🚀", text: "Καλημέρα,\n\nτο πρόγραμμα του ταξιδιού είναι έτοιμο. Σε περιμένουμε!\n\nΜαρία", file: "ics" },
  { subject: "مواعيد الأسبوع القادم", text: "مرحبا،\n\nأرسل لكم مواعيد الأسبوع القادم. أرجو التأكيد.\n\nنور" },
  { subject: "Facture n° 2026-114", text: "Bonjour,\n\nveuillez trouver ci-joint la facture du mois. Réglée à réception, merci !\n\nRenée", file: "pdf" },
  { subject: "Photos from the lake", text: "The best ones are in the mail, the rest when I am back.", html: "<p>The best ones are in the mail, the rest when I am back.</p><p><img src=\"cid:lake@postern.test\" alt=\"The lake in the morning\"></p>", file: "png" },
  { subject: "Re: numbers for the budget", text: "Fine by me. I moved travel to the second quarter, the rest stays.", file: "csv" },
  { subject: "Your review is due", text: "Two questions are left on the draft, both in section three. Ten minutes, I think." },
  { subject: null, text: "Forgot the subject, sorry. Are you in the office tomorrow?" },
  { subject: "Keys", text: "They are with the neighbour on the second floor. She is home after six." },
  { subject: "Interview on the 14th", text: "The candidate confirmed. I attached the invitation.\n\nPriya", file: "ics" },
  { subject: "Zażółć gęślą jaźń", text: "Test polskich znaków: wszystko dotarło?\n\nLena" },
  { subject: "A question about the contract", text: "Before I sign: does the notice period in 7.2 also hold for the storage room?" },
];

/** A subject as long as some machines write them. */
export const LONG_SUBJECT = `Build report: ${Array.from({ length: 300 }, (_, n) => `job-${n} ok`).join(", ")}`.slice(0, 3000);

/** Old mail in the charsets of its time: Latin-1, KOI8-R and Shift_JIS, as the bytes they were. */
export const OLD_MAIL = [
  { subject: "Gruesse aus Koeln", charset: "iso-8859-1", text: "Schöne Grüße aus Köln, wo es seit gestern regnet.", bytes: (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0)) },
  { subject: "Privet", charset: "koi8-r", text: "Привет", bytes: () => Uint8Array.of(0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4) },
  { subject: "Nihongo", charset: "shift_jis", text: "日本語", bytes: () => Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea) },
] as const;
