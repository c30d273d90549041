/** What the program says of itself (`npm start -- --help`). */
export const HELP = `Postern: any IMAP/SMTP mailbox as an HTTP API.

Usage
  npm start                          the service; without IMAP_URL and SMTP_URL its sandbox
  npm run backup -- FILE             copy the embedded database, also while the service runs
  npm run --silent keys:new          print new CREDENTIAL_KEYS and JWT_KEYS as lines of an environment file
  npm run keys:rotate                move what is kept sealed to the first of CREDENTIAL_KEYS
  npm start -- --help                this

Settings come from the environment. The first ones to know:
  HOST, PORT                         where to listen: 127.0.0.1, 3000
  BASE_URL                           the public address; https there lets browsers sign in from elsewhere
  IMAP_URL, SMTP_URL                 the mail server: imaps://imap.example.com, smtps://smtp.example.com
  MAIL_TLS_CA_FILE                   the certificate of a private authority that signed the mail server's
  DATA_DIR                           the embedded database, uploads and keys.json: ./data
  DATABASE_URL                       postgres://user:password@host/database, for several processes; needs the keys
  CREDENTIAL_KEYS, JWT_KEYS          what secrets are sealed and tokens signed with: made in DATA_DIR
  WEBHOOK_ALLOWED_NETWORKS           private addresses that webhooks may go to, such as 10.0.0.0/8
  LOG_LEVEL, LOG_FORMAT              info; pretty or json

Try it                               npm start, then open http://127.0.0.1:3000 and sign in as it says
A real mail server                   IMAP_URL=imaps://imap.example.com SMTP_URL=smtps://smtp.example.com npm start

All settings: docs/reference/configuration.md. Running it: docs/deploy/operations.md. The API: /docs of a running service.`;
