import { type NamedServer, type NamedServers, NO_SERVERS, PASSWORD, type SignIn } from "@postern/core/accounts";
import { Parser } from "htmlparser2";

/** The authorization servers, by the host names in documents. */
const OAUTH_PROVIDERS = new Map([
  ["accounts.google.com", "google"],
  ["login.microsoftonline.com", "microsoft"],
]);

/** The TLS modes, by `socketType`; a server with any other value is skipped. */
const TLS = new Map<string, NamedServer["tls"]>([
  ["SSL", "implicit"],
  ["STARTTLS", "starttls"],
]);

/** A server element: the texts of its child elements by name, and the authentications in order. */
interface ServerElement {
  readonly protocol: "imap" | "smtp" | "other";
  readonly fields: Map<string, string>;
  readonly authentications: Array<string>;
}

/**
 * Returns the IMAP and SMTP servers over TLS of an autoconfig document (format 1.1), in its order. A document with a
 * DOCTYPE, a CDATA section or another declaration yields no server. Entities other than the five predefined ones stay
 * unchanged.
 */
export const serversOfDocument = (text: string): NamedServers => {
  const { servers, issuer, hasDeclaration } = elementsOf(text);
  if (hasDeclaration) return NO_SERVERS;
  const named = (protocol: ServerElement["protocol"]) =>
    servers
      .flatMap((element) => {
        const server = element.protocol === protocol ? serverOf(element) : undefined;
        return server === undefined ? [] : [{ server, element }];
      })
      .slice(0, MAX_SERVERS);
  const imap = named("imap");
  return {
    imap: imap.map(({ server }) => server),
    smtp: named("smtp").map(({ server }) => server),
    signIn: imap.slice(0, 1).flatMap(({ element }) => signInOf(element, issuer)),
  };
};

const serverOf = ({ fields }: ServerElement): NamedServer | undefined => {
  const [host, port, tls] = [fields.get("hostname"), fields.get("port"), TLS.get(fields.get("socketType") ?? "")];
  if (host === undefined || tls === undefined || !/^\d{1,5}$/.test(port ?? "")) return undefined;
  const username = fields.get("username");
  return { host, port: Number(port), tls, ...(username === undefined ? {} : { username }) };
};

const signInOf = ({ authentications }: ServerElement, issuer: string): ReadonlyArray<SignIn> => {
  const kinds = authentications.flatMap((authentication): ReadonlyArray<SignIn> => {
    if (authentication === "OAuth2") return [{ kind: "oauth2", provider: OAUTH_PROVIDERS.get(issuer) ?? null }];
    return PASSWORDS.has(authentication) ? [PASSWORD] : [];
  });
  return kinds.filter(({ kind }, n) => kinds.findIndex((other) => other.kind === kind) === n);
};

const PASSWORDS = new Set(["password-cleartext", "plain", "password-encrypted", "secure"]);

/** Maximum number of servers used from a document for each protocol, because each one would be contacted. */
const MAX_SERVERS = 10;

/** Maximum depth at which elements are read: the fields of a server. */
const MAX_DEPTH = 4;

/** Reads the elements of the first provider. The parser never recurses, resolves no entity and reads nothing else. */
const elementsOf = (text: string) => {
  const servers: Array<ServerElement> = [];
  const path: Array<string> = [];
  let [issuer, content, hasDeclaration, providers] = ["", "", false, 0];

  /**
   * Deeper elements are not read, so that the cost grows only with the length of the document, not with its nesting.
   */
  const place = () => (path.length > MAX_DEPTH ? "" : path.join("/"));

  const parser = new Parser(
    {
      onopentag: (name, { type }) => {
        path.push(name);
        content = "";
        const at = place();
        if (at === "clientConfig/emailProvider") providers++;
        if (providers !== 1) return;
        if (at === "clientConfig/emailProvider/incomingServer") open(type === "imap" ? "imap" : "other");
        if (at === "clientConfig/emailProvider/outgoingServer") open(type === "smtp" ? "smtp" : "other");
      },
      ontext: (data) => void (content += data),
      onclosetag: (name) => {
        const at = place();
        path.pop();
        const value = content.trim();
        content = "";
        if (at === "clientConfig/oAuth2/issuer") issuer = value;
        const server = servers.at(-1);
        const isField = /^clientConfig\/emailProvider\/(incoming|outgoing)Server\/[^/]+$/.test(at) && providers === 1;
        if (!isField || server === undefined) return;
        if (name === "authentication") server.authentications.push(value);
        else if (!server.fields.has(name)) server.fields.set(name, value);
      },
      onprocessinginstruction: (name) => {
        if (name.startsWith("!")) hasDeclaration = true;
      },
      oncdatastart: () => {
        hasDeclaration = true;
      },
    },
    { xmlMode: true },
  );
  const open = (protocol: ServerElement["protocol"]) =>
    servers.push({ protocol, fields: new Map(), authentications: [] });
  parser.end(text);
  return { servers, issuer, hasDeclaration };
};
