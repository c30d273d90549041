import type { NamedServer, NamedServers } from "@postern/core/accounts";

const AUTHENTICATIONS = { password: "password-cleartext", app_password: "password-cleartext", oauth2: "OAuth2" };

/** Returns the autoconfig document that names these servers. */
export const documentOf = ({ imap, smtp, signIn }: NamedServers): string => {
  const authentications = signIn
    .map(({ kind }) => `<authentication>${AUTHENTICATIONS[kind]}</authentication>`)
    .join("");
  const server = (element: string, type: string, { host, port, tls, username }: NamedServer) =>
    `<${element} type="${type}">
      <hostname>${host}</hostname>
      <port>${port}</port>
      <socketType>${tls === "implicit" ? "SSL" : "STARTTLS"}</socketType>
      ${username === undefined ? "" : `<username>${username}</username>`}
      ${authentications}
    </${element}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1">
  <emailProvider id="provider.example">
    <domain>provider.example</domain>
    ${imap.map((named) => server("incomingServer", "imap", named)).join("\n")}
    ${smtp.map((named) => server("outgoingServer", "smtp", named)).join("\n")}
  </emailProvider>
  <oAuth2><issuer>login.microsoftonline.com</issuer></oAuth2>
</clientConfig>`;
};
