/** The settings of a private Cyrus; all its files are in one folder. */
export interface CyrusSettings {
  readonly folder: string;
  readonly user: { readonly name: string; readonly group: string; readonly uid: number; readonly gid: number };
  readonly port: number;
  readonly separator: "/" | ".";
  /** Whether all names but INBOX begin with `INBOX` and the separator. */
  readonly prefixed: boolean;
}

/** Returns imapd.conf for Cyrus 3.6: our saslauthd checks passwords, and accounts are created at sign-in. */
export const imapdConfig = ({ folder, user, separator, prefixed }: CyrusSettings): string => `
configdirectory: ${folder}/conf
partition-default: ${folder}/spool
defaultpartition: default
servername: localhost
cyrus_user: ${user.name}
cyrus_group: ${user.group}
unixhierarchysep: ${separator === "/" ? "yes" : "no"}
altnamespace: ${prefixed ? "no" : "yes"}
virtdomains: userid
allowplaintext: yes
sasl_mech_list: PLAIN
sasl_pwcheck_method: saslauthd
sasl_saslauthd_path: ${folder}/saslauthd
autocreate_quota: 0
delete_mode: immediate
expunge_mode: immediate
imapidlepoll: 1
munge8bit: no
`;

/** Returns cyrus.conf: one IMAP service, and the recovery that it needs to start. */
export const cyrusConfig = ({ folder, port }: CyrusSettings): string => {
  const run = (name: string, options: string) => `cmd="${folder}/bin/${name} -C ${folder}/imapd.conf ${options}"`;
  return `
START {
  recover ${run("ctl_cyrusdb", "-r")}
}
SERVICES {
  imap ${run("imapd", "-U 250")} listen="127.0.0.1:${port}" prefork=1 maxchild=200
}
`;
};
