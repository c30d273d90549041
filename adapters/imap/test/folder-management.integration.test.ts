import {
  describeWithCyrus,
  describeWithDovecot,
  type DovecotOptions,
  folderManagementContract,
  type FolderManagementServer,
  nightly,
} from "@postern/testkit";
import { Layer } from "effect";
import { plainIds, randomEntropy, recordsInMemory, removalsInMemory } from "./doubles.ts";
import { imapOnCyrus } from "./imap-on-cyrus.ts";
import { imapOnDovecot } from "./imap-on-dovecot.ts";

/** Removals are interrupted at many steps at night, and at fewer in CI. Cyrus takes three times as long for each. */
const CUT_EVERY = nightly([2])[0] ?? 5;
const CUT_EVERY_ON_CYRUS = nightly([5])[0] ?? 15;

const over = <A, E>(ports: Layer.Layer<A, E>) =>
  Layer.mergeAll(ports, plainIds, recordsInMemory, removalsInMemory, randomEntropy);

describeWithDovecot("managing folders on Dovecot", () => {
  type Server = readonly [string, DovecotOptions, FolderManagementServer];
  const servers: ReadonlyArray<Server> = [
    ["separator /", {}, {}],
    ["without any extension", { capabilities: "IMAP4rev1 LITERAL+", marked: false }, { move: false }],
    ...nightly<Server>([
      ["separator . and prefix INBOX.", { separator: ".", prefix: "INBOX." }, {}],
      ["without MOVE", { capabilities: "IMAP4rev1 LITERAL+ NAMESPACE UIDPLUS SPECIAL-USE" }, { move: false }],
    ]),
  ];
  for (const [name, options, server] of servers)
    folderManagementContract(name, over(imapOnDovecot(options, { timeouts: { command: "5 seconds" } })), {
      cutEvery: CUT_EVERY,
      ...server,
    });
});

describeWithCyrus("managing folders on Cyrus", () => {
  const server = { objectIds: true, noselect: false, cutEvery: CUT_EVERY_ON_CYRUS };
  folderManagementContract("separator /", over(imapOnCyrus()), server);
  for (const separator of nightly(["."]))
    folderManagementContract("prefix INBOX.", over(imapOnCyrus({ separator, prefixed: true })), server);
});
