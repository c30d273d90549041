/** The answer to `npm start -- --help`. */
export const HELP = `Postern: any IMAP/SMTP mailbox as an HTTP API.

Usage
  npm start                          start the service; without IMAP_URL and SMTP_URL a sandbox
  npm run backup -- FILE             copy the embedded database to FILE, also while the service runs
  npm run --silent keys:new          print new CREDENTIAL_KEYS and JWT_KEYS as lines of an environment file
  npm run keys:rotate                encrypt stored secrets again, with the first of CREDENTIAL_KEYS
  npm start -- --help                print this text

Settings are environment variables. The most important ones, with their defaults or examples:
  HOST, PORT                         address to listen on: 127.0.0.1, 3000
  BASE_URL                           public address; browsers on other machines can sign in over https only
  IMAP_URL, SMTP_URL                 mail server: imaps://imap.example.com, smtps://smtp.example.com
  MAIL_TLS_CA_FILE                   file with the certificate of the private authority of the mail server
  DATA_DIR                           folder for the embedded database, uploads and keys.json: ./data
  DATABASE_URL                       PostgreSQL, for several processes: postgres://user:password@host/database
  CREDENTIAL_KEYS, JWT_KEYS          keys that encrypt secrets and sign tokens: created in DATA_DIR;
                                     required with DATABASE_URL
  WEBHOOK_ALLOWED_NETWORKS           private networks that webhooks may be sent to: 10.0.0.0/8
  LOG_LEVEL, LOG_FORMAT              info; pretty in a terminal, otherwise json

Examples
  npm start                          then open http://127.0.0.1:3000 and sign in with an account it prints
  IMAP_URL=imaps://imap.example.com SMTP_URL=smtps://smtp.example.com npm start

All settings: docs/reference/configuration.md. Deployment: docs/deploy/. API reference: /docs of the running service.`;
