import type { Family } from "./Family.ts";

/** Mail providers and their gateways, recognised by name. */
export const PROVIDER_FAMILIES: ReadonlyArray<Family> = [
  {
    name: "amazon-ses",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?amazonses\.com/i },
    example: "From: MAILER-DAEMON@eu-west-1.amazonses.com",
  },
  {
    name: "amazon-ses",
    recognisedBy: { status: /amazonses\.com/i },
    example: "Reporting-MTA: dsn; a8-50.smtp-out.amazonses.com",
  },
  {
    name: "amazon-workmail",
    recognisedBy: { status: /amazon workmail|awsapps\.com/i },
    example: "Technical report: … Amazon WorkMail",
  },
  {
    name: "gmail",
    recognisedBy: { from: /mailer-daemon@(?:googlemail|google|gmail)\.com/i },
    example: "From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
  },
  {
    name: "google-groups",
    recognisedBy: { from: /@googlegroups\.com/i },
    example: "From: Mail Delivery Subsystem <mailer-daemon@googlegroups.com>",
  },
  {
    name: "office365",
    recognisedBy: { header: ["X-MS-Exchange-Message-Is-Ndr", /^/] },
    example: "X-MS-Exchange-Message-Is-Ndr:",
  },
  {
    name: "office365",
    recognisedBy: { status: /\.(?:outlook|office365|exchangelabs)\.com/i },
    example: "Reporting-MTA: dns;DB7PR01MB0001.eurprd01.prod.exchangelabs.com",
  },
  {
    name: "exchange",
    recognisedBy: { from: /microsoftexchange[0-9a-f]{16}/i },
    example: "From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.com",
  },
  { name: "exchange", recognisedBy: { text: /generating server: / }, example: "Generating server: mail.example.com" },
  {
    name: "exchange-2003",
    recognisedBy: { text: /msexch:ims:|did not reach the following recipient/ },
    recipient: {
      line: /^\s{0,12}(?:to\s{1,4})?(?=\S{1,128}@\S{1,128} on )/i,
      example: "bob@example.com on Thu, 29 Apr 2010 23:34:45 +0900",
    },
    example: "The following did not reach the following recipient(s):",
  },
  {
    name: "exchange-2003",
    recognisedBy: { header: ["X-Mailer", /(?:internet mail service|microsoft exchange)/i] },
    example: "X-Mailer: Internet Mail Service (5.5.2653.19)",
  },
  {
    name: "icloud",
    recognisedBy: { status: /(?:icloud|apple|me)\.com/i },
    example: "Reporting-MTA: dns; st11p00im-asmtp001.me.com",
  },
  {
    name: "yahoo",
    recognisedBy: { from: /mailer-daemon@(?:[a-z0-9.-]{1,60}\.)?(?:yahoo|yahoodns|ymail)\.(?:com|net|co\.jp|co\.uk)/i },
    recipient: { line: /^(?=<\S{1,128}@\S{1,128}>:)/, example: "<bob@example.com>:" },
    example: "From: MAILER-DAEMON@yahoo.com",
  },
  { name: "aol", recognisedBy: { status: /\.aol\.com/i }, example: "Reporting-MTA: dns; omr-m5.mx.aol.com" },
  {
    name: "zoho",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?zoho(?:corp|mail)?\.(?:com|eu|in)/i },
    recipient: {
      line: /address:\s?(?=<?\S{1,128}@)/i,
      example: "[Status: Error, Address: <bob@example.com>, ResponseCode 550, , User unknown]",
    },
    example: "From: mailer-daemon@mail.zoho.com",
  },
  { name: "mimecast", recognisedBy: { status: /mimecast/i }, example: "Reporting-MTA: dns; eu-smtp-1.mimecast.com" },
  {
    name: "proofpoint",
    recognisedBy: { status: /pphosted\.com|proofpoint/i },
    example: "Reporting-MTA: dns; mx0a-00000001.pphosted.com",
  },
  { name: "barracuda", recognisedBy: { status: /barracuda/i }, example: "Reporting-MTA: dns; barracuda.example.com" },
  {
    name: "symantec",
    recognisedBy: { status: /messagelabs\.com|symantec/i },
    example: "Reporting-MTA: dns; server-1.tower-1.messagelabs.com",
  },
  { name: "ironport", recognisedBy: { header: ["X-IronPort-AV", /./] }, example: 'X-IronPort-AV: E=Sophos;i="5.43"' },
  {
    name: "ironport",
    recognisedBy: { status: /ironport|iphmx\.com/i },
    example: "Reporting-MTA: dns; esa1.example.iphmx.com",
  },
  {
    name: "powermta",
    recognisedBy: { status: /x-powermta|powermta/i },
    example: "X-PowerMTA-BounceCategory: bad-mailbox",
  },
  { name: "sendgrid", recognisedBy: { status: /sendgrid/i }, example: "Reporting-MTA: dns; mx0001p1mdw1.sendgrid.net" },
  {
    name: "facebook",
    recognisedBy: { status: /facebook\.com|\brcp-p\d/i },
    example: "Diagnostic-Code: smtp; 550 5.1.1 RCP-P2",
  },
  {
    name: "mail.ru",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?mail\.ru\b/i },
    example: "From: <mailer-daemon@corp.mail.ru>",
  },
  {
    name: "yandex",
    recognisedBy: { status: /yandex\.(?:net|ru|com)/i },
    example: "Reporting-MTA: dns; forward5.mail.yandex.net",
  },
  { name: "yandex", recognisedBy: { from: /mailer-daemon@yandex/i }, example: "From: mailer-daemon@yandex.ru" },
  {
    name: "netease",
    recognisedBy: { from: /postmaster@(?:163|126|188|yeah|netease)\.(?:com|net)/i },
    example: "From: Postmaster@163.com",
  },
  { name: "qq", recognisedBy: { from: /(?:postmaster|mailer-daemon)@qq\.com/i }, example: "From: PostMaster@qq.com" },
  {
    name: "sina",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?sina\.(?:com|cn|com\.cn|net)/i },
    example: "From: MAILER-DAEMON@sina.com",
  },
  {
    name: "kddi",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?(?:ezweb|au\.com|kddi|dion)\b/i },
    recipient: {
      line: /(?:could not be delivered to|rcpt to|recipient)\s?:\s?/i,
      example: "    Could not be delivered to: <bob@example.com>",
    },
    example: "From: Postmaster@ezweb.ne.jp",
  },
  {
    name: "docomo",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?docomo\.ne\.jp/i },
    recipient: { line: /(?:could not be delivered to|recipient)\s?:\s?/i, example: "    Recipient: <bob@example.com>" },
    example: "From: Mail Delivery Subsystem <MAILER-DAEMON@docomo.ne.jp>",
  },
  {
    name: "softbank",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?(?:softbank|vodafone)\.(?:ne\.)?jp/i },
    example: "From: postmaster@softbank.ne.jp",
  },
  {
    name: "naver",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?naver\.com/i },
    example: "From: postmaster@naver.com",
  },
  {
    name: "daum",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?(?:daum|hanmail)\.net/i },
    example: "From: MAILER-DAEMON@hanmail.net",
  },
  {
    name: "uol",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?uol\.com\.br/i },
    example: "From: MAILER-DAEMON@uol.com.br",
  },
  {
    name: "terra",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?terra\.com/i },
    example: "From: MAILER-DAEMON@terra.com.br",
  },
  {
    name: "telstra",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?(?:bigpond|telstra)\.(?:com|net)/i },
    example: "From: Mail Administrator <Postmaster@bigpond.com>",
  },
  {
    name: "laposte",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?laposte\.net/i },
    example: "From: MAILER-DAEMON@laposte.net",
  },
  {
    name: "orange",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?(?:orange|wanadoo)\.fr/i },
    example: "From: MAILER-DAEMON@orange.fr",
  },
  { name: "free", recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?free\.fr/i }, example: "From: MAILER-DAEMON@free.fr" },
  {
    name: "ovh",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?ovh\.(?:net|com)/i },
    example: "From: MAILER-DAEMON@mail.ovh.net",
  },
  {
    name: "gmx",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?(?:gmx|web|kundenserver|1and1|1und1|ionos)\.(?:net|de|com)/i },
    example: "From: mailer-daemon@gmx.net",
  },
  {
    name: "t-online",
    recognisedBy: { from: /@(?:[a-z0-9-]{1,40}\.)?t-online\.de/i },
    example: "From: Mailer Daemon <postmaster@t-online.de>",
  },
];
