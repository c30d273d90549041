/** The names of the commands, and the location of the documentation. */
interface Words {
  readonly start: string;
  readonly backup: string;
  readonly restore: string;
  readonly keysNew: string;
  readonly keysRotate: string;
  readonly mcp: string;
  readonly help: string;
  readonly pages: string;
}

const IN_THE_REPOSITORY: Words = {
  start: "npm start",
  backup: "npm run backup -- FILE",
  restore: "npm run restore -- FILE",
  keysNew: "npm run --silent keys:new",
  keysRotate: "npm run keys:rotate",
  mcp: "npm run --silent mcp",
  help: "npm start -- --help",
  pages: "docs",
};

const INSTALLED: Words = {
  start: "npx postern",
  backup: "npx postern backup FILE",
  restore: "npx postern restore FILE",
  keysNew: "npx postern keys:new",
  keysRotate: "npx postern keys:rotate",
  mcp: "npx postern mcp",
  help: "npx postern --help",
  pages: "node_modules/@postern/server/dist/shipped/docs",
};

const helpOf = ({
  start,
  backup,
  restore,
  keysNew,
  keysRotate,
  mcp,
  help,
  pages,
}: Words): string => `Postern: any IMAP/SMTP mailbox as an HTTP API.

Usage
  ${start.padEnd(34)} start the service; without IMAP_URL and SMTP_URL a sandbox
  ${backup.padEnd(34)} copy the embedded database to FILE, also while the service runs
  ${restore.padEnd(34)} bring a copy back with what waits to be sent held; --send does not hold it
  ${keysNew.padEnd(34)} print new CREDENTIAL_KEYS and JWT_KEYS as lines of an environment file
  ${keysRotate.padEnd(34)} encrypt stored secrets again, with the first of CREDENTIAL_KEYS
  ${mcp.padEnd(34)} offer a running service's mail to an assistant, by POSTERN_URL and POSTERN_KEY
  ${help.padEnd(34)} print this text

Settings are environment variables. The most important ones, with their defaults or examples:
  HOST, PORT                         address to listen on: 127.0.0.1, 3000
  BASE_URL                           public address; browsers on other machines can sign in over https only
  IMAP_URL, SMTP_URL                 mail server: imaps://imap.example.com, smtps://smtp.example.com
  MAIL_TLS_CA_FILE                   file with the certificate of the private authority of the mail server
  DATA_DIR                           folder for the embedded database, uploads and keys.json: ./data
  DATABASE_URL                       PostgreSQL, for several processes: postgres://user:password@host/database
  DATABASE_SCHEMA                    schema of PostgreSQL with all tables: that of the role
  DATABASE_CONNECTIONS               connections of this process to PostgreSQL, and one that listens: 10
  CREDENTIAL_KEYS, JWT_KEYS          keys that encrypt secrets and sign tokens: created in DATA_DIR;
                                     required with DATABASE_URL
  WEBHOOK_ALLOWED_NETWORKS           private networks that webhooks may be sent to: 10.0.0.0/8
  LOG_LEVEL, LOG_FORMAT              info; pretty in a terminal, otherwise json

Examples
  ${start.padEnd(34)} then open http://127.0.0.1:3000 and sign in with an account it prints
  IMAP_URL=imaps://imap.example.com SMTP_URL=smtps://smtp.example.com ${start}

All settings: ${pages}/reference/configuration.md. Deployment: ${pages}/deploy/. API reference: /docs of the running service.`;

/** The answer to `--help`. */
export const HELP = helpOf(/[\\/]node_modules[\\/]/.test(import.meta.url) ? INSTALLED : IN_THE_REPOSITORY);
