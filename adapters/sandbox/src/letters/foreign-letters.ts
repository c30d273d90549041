import type { Conversation } from "./Conversation.ts";

/**
 * Letters of builders, clients and archives in other countries, in their languages and in the charsets of their mail
 * programs.
 */
export const FOREIGN_LETTERS: ReadonlyArray<Conversation> = [
  {
    subject: "Grundriss, dritter Versuch",
    daysAgo: 12,
    folder: "Projects/2026/Räume",
    letters: [
      {
        by: "joerg",
        text: "Hallo Robin,\n\nanbei der geänderte Grundriss. Die Küche ist jetzt nach Süden gerückt, dafür fällt die Nische weg. Bitte prüfe die Maße, bevor wir die Wände bestellen.\n\nViele Grüße\nJörg",
        files: ["grundriss"],
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
      {
        by: "robin",
        hours: 5,
        text: "Hallo Jörg,\n\nsieht gut aus. Die Tür zum Flur ist 5 cm zu schmal, sonst passt alles. Die Nische wird niemand vermissen.\n\nRobin",
      },
      {
        by: "joerg",
        hours: 16,
        text: "Erledigt, 95 cm. Dann bestelle ich am Montag. Schönes Wochenende!",
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
    ],
  },
  {
    subject: "茶室の打ち合わせ",
    daysAgo: 19,
    folder: "日本語",
    letters: [
      {
        by: "tanaka",
        text: "ヴェール様\n\nお世話になっております。先日はお忙しい中お越しいただき、ありがとうございました。\n打ち合わせの議事録をお送りしますので、ご確認ください。\n\n田中",
        files: ["gijiroku"],
        charset: "iso-2022-jp",
      },
      {
        by: "robin",
        hours: 9,
        text: "田中様\n\n議事録をありがとうございます。内容に問題ありません。来週、図面をお送りします。\n\nロビン",
      },
      { by: "tanaka", hours: 22, text: "ありがとうございます。楽しみにしております。", charset: "iso-2022-jp" },
    ],
  },
  {
    subject: "紅葉",
    daysAgo: 21,
    folder: "日本語",
    letters: [
      {
        by: "tanaka",
        text: "ヴェール様\n\n箱根の山もすっかり色づきました。庭の楓の写真をいつかお見せしたいと思います。\n\n田中",
        charset: "iso-2022-jp",
      },
      {
        by: "tanaka",
        hours: 70,
        text: "追伸：大工の佐藤さんが、柱は栗でいかがかと申しております。ご検討ください。",
        charset: "iso-2022-jp",
      },
    ],
  },
  {
    subject: "畳の寸法について",
    daysAgo: 48,
    folder: "日本語",
    letters: [
      {
        by: "tanaka",
        text: "ヴェール様\n\n畳は京間でお願いできますでしょうか。寸法は 955 × 1910 mm です。\n\n田中",
        encoding: "base64",
      },
      { by: "robin", hours: 3, text: "京間で承知しました。床の間の幅もそれに合わせます。" },
    ],
  },
  {
    subject: "Escalier en chêne",
    daysAgo: 26,
    letters: [
      {
        by: "renee",
        text: "Bonjour Robin,\n\nvoici le devis pour l'escalier. Le chêne vient de la forêt de Tronçais, séché deux ans. Il faut compter six semaines, plutôt sept si l'été est humide.\n\nBien à vous,\nRenée",
        files: ["devis"],
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
      {
        by: "robin",
        cc: ["ada"],
        hours: 26,
        text: "Bonjour Renée,\n\nmerci, c'est parfait. Ada signe demain. Pourriez-vous prévoir un échantillon huilé ?\n\nRobin",
      },
      {
        by: "renee",
        hours: 4,
        text: "Bien sûr, il part ce soir. Deux finitions : naturelle et légèrement fumée.",
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
      {
        by: "renee",
        hours: 240,
        text: "L'échantillon est-il bien arrivé ? La fumée a ma préférence, mais c'est vous qui montez les marches.",
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
    ],
  },
  {
    subject: "Архив: описи за 1912 год",
    daysAgo: 33,
    letters: [
      {
        by: "olga",
        text: "Добрый день!\n\nНашлись чертежи доходного дома на набережной: фасад, два разреза и смета. Отчёт во вложении, цифры сверены.\n\nС уважением,\nОльга",
        files: ["otchet"],
        charset: "windows-1251",
        encoding: "base64",
        flagged: true,
      },
      {
        by: "robin",
        hours: 30,
        text: "Ольга, добрый день!\n\nЭто замечательно. Можно ли заказать копию фасада в хорошем разрешении?\n\nРобин",
      },
      {
        by: "olga",
        hours: 19,
        text: "Можно. Копия будет готова к пятнице, стоимость как в прошлый раз.",
        charset: "koi8-r",
      },
    ],
  },
  {
    subject: "مسابقة الرياض: مواعيد الأسبوع القادم",
    daysAgo: 8,
    letters: [
      {
        by: "noor",
        text: "مرحبا روبن،\n\nأرسل لكم مواعيد الأسبوع القادم: الأحد زيارة الموقع، والثلاثاء اجتماع اللجنة الساعة 10:30.\nأرجو التأكيد.\n\nنور",
        encoding: "base64",
      },
      {
        by: "robin",
        hours: 4,
        text: "Dear Noor,\n\nconfirmed, both. I land on Saturday night and bring the printed boards (A1, four of them).\n\nRobin",
      },
      { by: "noor", hours: 2, text: "Excellent. شكرا جزيلا. A driver will wait with your name at gate 3." },
    ],
  },
  {
    subject: "Facture n° 2026-114",
    daysAgo: 130,
    folder: "Reçus & factures",
    letters: [
      {
        by: "renee",
        text: "Bonjour,\n\nveuillez trouver ci-joint la facture de l'acompte. Réglée à réception, merci !\n\nRenée",
        files: ["bill"],
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
    ],
  },
  {
    subject: "Alte Pläne",
    daysAgo: 288,
    folder: "Projects/2026/Räume",
    letters: [
      {
        by: "joerg",
        text: "Hallo Robin,\n\nim Keller lagen noch die Pläne von 1968, gerollt und trocken. Soll ich sie einscannen lassen?\n\nJörg",
        charset: "iso-8859-1",
        encoding: "quoted-printable",
      },
    ],
  },
  {
    subject: "Старые чертежи",
    daysAgo: 341,
    folder: "Архив/Старое",
    letters: [
      {
        by: "olga",
        text: "Здравствуйте!\n\nМеня зовут Ольга, я работаю в архиве. Вы спрашивали о доме на набережной: дела сохранились, но без обложек.",
        charset: "koi8-r",
      },
      { by: "robin", hours: 28, text: "Здравствуйте, Ольга! Спасибо, это больше, чем я надеялся найти." },
      {
        by: "olga",
        hours: 50,
        text: "Тогда жду вас в читальном зале. Карандаш, не ручка!",
        charset: "koi8-r",
        encoding: "base64",
      },
    ],
  },
];
