import type { FuzzedReader } from "@postern/testkit";
import { serversOfDocument } from "../src/autoconfig-document.ts";
import { hostsOfMx, serversOfSrv } from "../src/dns-records.ts";

const DOCUMENTS = [
  `<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1"><emailProvider id="x"><domain>x</domain><displayName>A & B &amp; &#x41; <!-- c --></displayName>
<incomingServer type="imap"><hostname>imap.x.test</hostname><port>993</port><socketType>SSL</socketType>
<username>%EMAILADDRESS%</username><authentication>OAuth2</authentication><authentication>password-cleartext</authentication></incomingServer>
<outgoingServer type="smtp"><hostname>smtp.x.test</hostname><port>587</port><socketType>STARTTLS</socketType></outgoingServer>
</emailProvider><oAuth2><issuer>accounts.google.com</issuer></oAuth2></clientConfig>`,
  `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><clientConfig><emailProvider>&b;</emailProvider></clientConfig>`,
  "<clientConfig><emailProvider><incomingServer type='imap'><hostname><![CDATA[x]]></hostname></incomingServer></emailProvider>",
  "<html><head><title>404</title><body><p>Not found<br></html>",
];

/** What Node's resolver may return: names as they are in the answer, and numbers of 16 bits. */
const recordsOf = (input: Buffer) =>
  input
    .toString("latin1")
    .split(";")
    .map((text) => {
      const [name = "", port, priority] = text.split(" ");
      const number = (word: string | undefined) => Number.parseInt(word ?? "", 10) & 0xffff;
      return { name, exchange: name, port: number(port), priority: number(priority), weight: number(port) };
    });

export const readers: ReadonlyArray<FuzzedReader> = [
  { name: "discovery/autoconfig", corpus: DOCUMENTS, read: (input) => serversOfDocument(input.toString()) },
  {
    name: "discovery/dns",
    corpus: ["imap.x.test. 993 0;IMAP2.x.test 993 10", ". 0 0", "\xff.x 65535 65535;;x"],
    read: (input) => {
      const records = recordsOf(input);
      serversOfSrv(records, "implicit");
      hostsOfMx(records);
    },
  },
];
