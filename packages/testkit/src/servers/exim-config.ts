/** The settings of a private Exim; all its files are in one folder. */
export interface EximSettings {
  readonly folder: string;
  /** The folder of delivered mail: a Maildir per user. */
  readonly home: string;
  readonly user: { readonly name: string; readonly group: string; readonly uid: number; readonly gid: number };
  readonly port: number;
}

/** Returns the configuration of a submission server that delivers to the users of a file and relays to no other host. */
export const eximConfig = ({ folder, home, user, port }: EximSettings): string => `
exim_path = ${folder}/exim
keep_environment = LD_PRELOAD : LD_LIBRARY_PATH : NSS_WRAPPER_PASSWD : NSS_WRAPPER_GROUP
spool_directory = ${folder}/spool
log_file_path = ${folder}/%slog
pid_file_path = ${folder}/pid
primary_hostname = mx.x.test
daemon_smtp_ports = ${port}
local_interfaces = 127.0.0.1
tls_advertise_hosts =
smtputf8_advertise_hosts = *
dsn_advertise_hosts = *
message_size_limit = 50M
host_lookup =
rfc1413_query_timeout = 0s
never_users =
acl_smtp_rcpt = rcpt

begin acl
rcpt:
  deny !authenticated = *
  require verify = recipient
  accept

begin routers
users:
  driver = accept
  address_data = \${lookup{$local_part@$domain}lsearch,ret=key{${folder}/users}}
  condition = \${lookup{$local_part@$domain}lsearch{${folder}/users}{yes}{no}}
  transport = maildir

begin transports
maildir:
  driver = appendfile
  directory = ${home}/$address_data/Maildir
  maildir_format
  create_directory
  return_path_add
  user = ${user.name}
  group = ${user.group}

begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_prompts = :
  server_condition = \${if eq{$auth3}{\${lookup{$auth2}lsearch{${folder}/users}{$value}fail}}}
  server_set_id = $auth2
`;
