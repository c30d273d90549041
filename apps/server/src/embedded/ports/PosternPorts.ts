import type { PosternMailTransport } from "./PosternMailTransport.ts";
import type { PosternUploads } from "./PosternUploads.ts";

/** The ports that the program implements instead of the service. */
export interface PosternPorts {
  /** Stores the bytes of uploads, instead of files in `dataDir` or the database of `databaseUrl`. */
  readonly uploads?: PosternUploads;
  /** Sends messages instead of the SMTP server, so that `imapUrl` needs no `smtpUrl`. */
  readonly mailTransport?: PosternMailTransport;
}
