/** The settings of a private Dovecot; all its files are in one folder. */
export interface DovecotSettings {
  readonly folder: string;
  /** The folder of the accounts' mail. */
  readonly home: string;
  readonly user: { readonly name: string; readonly group: string; readonly uid: number; readonly gid: number };
  readonly port: number;
  readonly separator: "/" | ".";
  readonly prefix: string;
  readonly connectionsPerUser: number;
  /** The advertised capabilities; null for all. */
  readonly capabilities: string | null;
  /** Whether the server marks special folders (SPECIAL-USE). */
  readonly marked: boolean;
  /** The name of the folder of sent mail. */
  readonly sent: string;
  /** The name of the folder of all messages (RFC 6154). */
  readonly all: string | null;
  /** Whether the server supports access rights (RFC 4314). */
  readonly acl: boolean;
  /** Quota of an account in bytes. */
  readonly quota: number | null;
  /** The mechanisms for access tokens, and the settings file of `passdb oauth2`; passwords are accepted too. */
  readonly tokens: { readonly mechanisms: string; readonly settings: string } | null;
  /** The paths of the certificate and key, and the port of implicit TLS; `port` then offers STARTTLS. */
  readonly tls: { readonly port: number; readonly certificate: string; readonly key: string } | null;
}

const SPECIAL = ["Sent", "Drafts", "Junk", "Trash"];

/** Returns the configuration of Dovecot 2.3 without root, chroot, disk syncs or delays after a refused login. */
export const dovecotConfig = ({
  folder,
  home,
  user,
  port,
  separator,
  prefix,
  connectionsPerUser,
  capabilities,
  marked,
  sent,
  all,
  acl,
  quota,
  tokens,
  tls,
}: DovecotSettings): string => `
base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
default_internal_user = ${user.name}
default_internal_group = ${user.group}
default_login_user = ${user.name}
default_process_limit = 512
default_client_limit = 8192
first_valid_uid = 1
mail_max_userip_connections = ${connectionsPerUser}
mail_fsync = never
auth_failure_delay = 0
disable_plaintext_auth = no
${tls === null ? "ssl = no" : `ssl = yes\nssl_cert = <${tls.certificate}\nssl_key = <${tls.key}`}
service imap-login {
  chroot =
  service_count = 0
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tls?.port ?? 0}
    ssl = ${tls === null ? "no" : "yes"}
  }
}
service imap {
  process_limit = 4096
}
service anvil {
  chroot =
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
${capabilities === null ? "" : `protocol imap {\n  imap_capability = ${capabilities}\n}`}
${acl ? "mail_plugins = acl\nprotocol imap {\n  mail_plugins = acl imap_acl\n}\nplugin {\n  acl = vfile\n}" : ""}
${quota === null ? "" : `mail_plugins = $mail_plugins quota\nplugin {\n  quota = count:all\n  quota_vsizes = yes\n  quota_grace = 0\n  quota_rule = *:bytes=${quota}\n}`}
${tokens === null ? "" : `auth_mechanisms = plain login ${tokens.mechanisms}\npassdb {\n  driver = oauth2\n  mechanisms = ${tokens.mechanisms}\n  args = ${tokens.settings}\n}`}
passdb {
  driver = passwd-file
${tokens === null ? "" : "  mechanisms = plain login\n"}  args = username_format=%u ${folder}/users/%u
}
userdb {
  driver = static
  args = uid=${user.uid} gid=${user.gid} home=${home}/%u
}
mail_location = maildir:~/Maildir:LAYOUT=fs
namespace inbox {
  inbox = yes
  separator = ${separator}
  prefix = ${prefix}
${SPECIAL.map((name) => `  mailbox ${name === "Sent" ? sent : name} {\n${marked ? `    special_use = \\${name}\n` : ""}    auto = create\n  }\n`).join("")}${all === null ? "" : `  mailbox "${all}" {\n    special_use = \\All\n    auto = create\n  }\n`}}
`;

/**
 * Returns the settings under which Dovecot itself checks access tokens by a key in `keys`; the tokens have
 * `scope=mail`, and the claim `email` names the user.
 */
export const dovecotTokenConfig = (keys: string): string => `
introspection_mode = local
local_validation_key_dict = fs:posix:prefix=${keys}/
username_attribute = email
scope = mail
`;
