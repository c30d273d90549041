import type { KnownProvider } from "./KnownProvider.ts";
import { imaps, smtps } from "./usual-ports.ts";
import { PASSWORD } from "./SignIn.ts";

/** The domain in the host names of IONOS' servers, and the domains of IONOS' MX hosts. */
const IONOS = [
  ["de", ["ionos.de", "kundenserver.de"]],
  ["com", ["ionos.com"]],
  ["co.uk", ["ionos.co.uk"]],
  ["fr", ["ionos.fr"]],
  ["es", ["ionos.es"]],
] as const;

/** Providers of mail for domains of their customers. */
export const HOSTING_PROVIDERS: ReadonlyArray<KnownProvider> = [
  ...IONOS.map(([country, mx]): KnownProvider => ({
    id: `ionos_${country.replace(".", "_")}`,
    name: `IONOS (ionos.${country})`,
    domains: [],
    mx,
    imap: imaps(`imap.ionos.${country}`),
    smtp: smtps(`smtp.ionos.${country}`),
    signIn: [PASSWORD],
  })),
  {
    id: "gandi",
    name: "Gandi",
    domains: [],
    mx: ["mail.gandi.net"],
    imap: imaps("mail.gandi.net"),
    smtp: smtps("mail.gandi.net"),
    signIn: [PASSWORD],
  },
  {
    id: "infomaniak",
    name: "Infomaniak",
    domains: ["ik.me"],
    mx: ["infomaniak.ch"],
    imap: imaps("mail.infomaniak.com"),
    smtp: smtps("mail.infomaniak.com"),
    signIn: [PASSWORD],
  },
  {
    id: "migadu",
    name: "Migadu",
    domains: [],
    mx: ["migadu.com"],
    imap: imaps("imap.migadu.com"),
    smtp: smtps("smtp.migadu.com"),
    signIn: [PASSWORD],
  },
  {
    id: "namecheap",
    name: "Namecheap Private Email",
    domains: [],
    mx: ["privateemail.com"],
    imap: imaps("mail.privateemail.com"),
    smtp: smtps("mail.privateemail.com"),
    signIn: [PASSWORD],
  },
  {
    id: "hostinger",
    name: "Hostinger",
    domains: [],
    mx: ["hostinger.com"],
    imap: imaps("imap.hostinger.com"),
    smtp: smtps("smtp.hostinger.com"),
    signIn: [PASSWORD],
  },
  {
    id: "one_com",
    name: "one.com",
    domains: [],
    mx: ["one.com"],
    imap: imaps("imap.one.com"),
    smtp: smtps("send.one.com"),
    signIn: [PASSWORD],
  },
  {
    id: "purelymail",
    name: "Purelymail",
    domains: ["purelymail.com"],
    mx: ["purelymail.com"],
    imap: imaps("mailserver.purelymail.com"),
    smtp: smtps("mailserver.purelymail.com"),
    signIn: [PASSWORD],
  },
  {
    id: "rackspace",
    name: "Rackspace Email",
    domains: [],
    mx: ["emailsrvr.com"],
    imap: imaps("secure.emailsrvr.com"),
    smtp: smtps("secure.emailsrvr.com"),
    signIn: [PASSWORD],
  },
  {
    id: "strato",
    name: "STRATO",
    domains: [],
    mx: ["rzone.de"],
    imap: imaps("imap.strato.de"),
    smtp: smtps("smtp.strato.de"),
    signIn: [PASSWORD],
  },
];
