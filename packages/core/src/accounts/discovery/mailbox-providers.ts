import { domainsIn, domainsOf } from "./domain-lists.ts";
import type { KnownProvider } from "./KnownProvider.ts";
import { imaps, smtps, submission } from "./usual-ports.ts";
import { appPassword, PASSWORD, type SignIn } from "./SignIn.ts";

const GOOGLE: SignIn = { kind: "oauth2", provider: "google" };
const MICROSOFT: SignIn = { kind: "oauth2", provider: "microsoft" };
const GOOGLE_APP_PASSWORD = appPassword("https://support.google.com/accounts/answer/185833");
const ZOHO_APP_PASSWORD = appPassword("https://www.zoho.com/mail/help/imap-access.html");
const ZOHO_NOTE = "IMAP has to be switched on in the settings of the mailbox.";

/** Providers with users in many countries. */
export const MAILBOX_PROVIDERS: ReadonlyArray<KnownProvider> = [
  {
    id: "gmail",
    name: "Gmail",
    domains: ["gmail.com", "googlemail.com"],
    mx: [],
    imap: imaps("imap.gmail.com"),
    smtp: smtps("smtp.gmail.com"),
    signIn: [GOOGLE, GOOGLE_APP_PASSWORD],
    note: "App passwords need 2-Step Verification.",
  },
  {
    id: "google_workspace",
    name: "Google Workspace",
    domains: [],
    mx: ["google.com", "googlemail.com"],
    imap: imaps("imap.gmail.com"),
    smtp: smtps("smtp.gmail.com"),
    signIn: [GOOGLE, GOOGLE_APP_PASSWORD],
    note: "The administrator of the domain may have switched off IMAP or app passwords.",
  },
  {
    id: "outlook",
    name: "Outlook.com",
    domains: [
      ...domainsOf("outlook", "com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk co.id co.il co.th"),
      ...domainsOf("outlook", "com.ar com.au com.br com.gr com.tr com.vn"),
      ...domainsOf(
        "hotmail",
        "com be ca cl cz de dk es fi fr gr hu it lt lv my nl no ph rs se sg sk co.id co.il co.in",
      ),
      ...domainsOf("hotmail", "co.jp co.kr co.th co.uk co.za com.ar com.au com.br com.hk com.tr com.tw com.vn"),
      ...domainsOf("live", "com at be ca cl cn de dk fi fr hk ie in it jp nl no ru se co.jp co.kr co.uk co.za com.ar"),
      ...domainsOf("live", "com.au com.mx com.my com.ph com.pt com.sg"),
      ...domainsIn("msn.com windowslive.com livemail.tw"),
    ],
    mx: ["olc.protection.outlook.com"],
    imap: imaps("outlook.office365.com"),
    smtp: submission("smtp-mail.outlook.com"),
    signIn: [MICROSOFT],
    note: "IMAP has to be switched on in the settings of the mailbox. Passwords are refused since September 2024.",
  },
  {
    id: "microsoft_365",
    name: "Microsoft 365",
    domains: [],
    mx: ["mail.protection.outlook.com", "mx.microsoft"],
    imap: imaps("outlook.office365.com"),
    smtp: submission("smtp.office365.com"),
    signIn: [MICROSOFT],
    note: "The administrator of the tenant may have to allow IMAP and authenticated SMTP for the mailbox.",
  },
  {
    id: "icloud",
    name: "iCloud Mail",
    domains: ["icloud.com", "me.com", "mac.com"],
    mx: [],
    imap: { ...imaps("imap.mail.me.com"), username: "%EMAILLOCALPART%" },
    smtp: submission("smtp.mail.me.com"),
    signIn: [appPassword("https://support.apple.com/102654")],
  },
  {
    id: "yahoo",
    name: "Yahoo Mail",
    domains: [
      ...domainsOf("yahoo", "com de it fr es se co.in co.uk co.nz com.au com.ar com.br com.mx"),
      ...domainsIn("ymail.com myyahoo.com rocketmail.com"),
    ],
    mx: [],
    imap: imaps("imap.mail.yahoo.com"),
    smtp: smtps("smtp.mail.yahoo.com"),
    signIn: [appPassword("https://help.yahoo.com/kb/SLN15241.html"), { kind: "oauth2", provider: "yahoo" }],
    note: "Yahoo gives OAuth clients access to mail only after a review.",
  },
  {
    id: "aol",
    name: "AOL Mail",
    domains: [
      ...domainsOf("aol", "com de it fr es se co.uk co.nz com.au com.ar com.br com.mx"),
      ...domainsIn("aim.com netscape.net compuserve.com cs.com"),
    ],
    mx: [],
    imap: imaps("imap.aol.com"),
    smtp: smtps("smtp.aol.com"),
    signIn: [
      appPassword("https://help.aol.com/articles/Create-and-manage-app-password"),
      { kind: "oauth2", provider: "aol" },
    ],
  },
  {
    id: "fastmail",
    name: "Fastmail",
    domains: [
      ...domainsOf("fastmail", "com fm cn co.uk com.au de es fr im in jp mx net nl org se to tw uk us"),
      ...domainsIn("123mail.org airpost.net eml.cc f-m.fm fastmailbox.net fea.st fmail.co.uk imap.cc"),
      ...domainsIn("mailbolt.com mailcan.com mailhaven.com ml1.net mm.st myfastmail.com sent.as sent.at"),
      ...domainsIn("sent.com speedpost.net warpmail.net xsmail.com"),
    ],
    mx: ["messagingengine.com"],
    imap: imaps("imap.fastmail.com"),
    smtp: smtps("smtp.fastmail.com"),
    signIn: [appPassword("https://www.fastmail.help/hc/en-us/articles/360058752854")],
    note: "The user name of an alias is the address that the account was opened with.",
  },
  {
    id: "zoho",
    name: "Zoho Mail",
    domains: ["zoho.com", "zohomail.com"],
    mx: [],
    imap: imaps("imap.zoho.com"),
    smtp: smtps("smtp.zoho.com"),
    signIn: [PASSWORD, ZOHO_APP_PASSWORD],
    note: ZOHO_NOTE,
  },
  {
    id: "zoho_eu",
    name: "Zoho Mail (Europe)",
    domains: ["zohomail.eu"],
    mx: [],
    imap: imaps("imap.zoho.eu"),
    smtp: smtps("smtp.zoho.eu"),
    signIn: [PASSWORD, ZOHO_APP_PASSWORD],
    note: ZOHO_NOTE,
  },
  ...(["com", "eu", "in"] as const).map((region): KnownProvider => ({
    id: `zoho_workplace_${region}`,
    name: `Zoho Workplace (zoho.${region})`,
    domains: [],
    mx: [`zoho.${region}`],
    imap: imaps(`imappro.zoho.${region}`),
    smtp: smtps(`smtppro.zoho.${region}`),
    signIn: [PASSWORD, ZOHO_APP_PASSWORD],
    note: ZOHO_NOTE,
  })),
  {
    id: "mail_com",
    name: "mail.com",
    domains: [
      ...domainsIn("mail.com mail.org email.com post.com usa.com accountant.com consultant.com dr.com"),
      ...domainsIn("engineer.com cheerful.com techie.com linuxmail.org europe.com london.com uymail.com"),
      ...domainsIn("myself.com iname.com writeme.com workmail.com asia.com"),
    ],
    mx: [],
    imap: imaps("imap.mail.com"),
    smtp: smtps("smtp.mail.com"),
    signIn: [PASSWORD],
    note: "IMAP belongs to the paid plan and has to be switched on: https://support.mail.com/pop-imap/toggle.html",
  },
];
