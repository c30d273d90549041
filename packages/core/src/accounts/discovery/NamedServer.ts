/** A mail server as a source names it. `host` and `username` may hold the placeholders of autoconfig documents, such as `%EMAILDOMAIN%`. */
export interface NamedServer {
  readonly host: string;
  readonly port: number;
  readonly tls: "implicit" | "starttls";
  /** The user name at this server; by default the address. */
  readonly username?: string;
}
