import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A test certificate authority that issues certificates. */
export interface Authority {
  readonly ca: string;
  readonly issue: (names: string, days?: number) => Certificate;
  readonly selfSigned: (names: string) => Certificate;
  readonly remove: () => void;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** Creates an authority. Names have the form of subjectAltName, such as `DNS:hooks.test,IP:127.0.0.1`. */
export const makeAuthority = (): Authority => {
  const folder = mkdtempSync(join(tmpdir(), "certificates-"));
  const openssl = (...options: ReadonlyArray<string>) =>
    execFileSync("openssl", options, { cwd: folder, stdio: "pipe" });
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  openssl("req", "-x509", ...KEY, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Authority");
  let issued = 0;
  return {
    ca: read("ca.pem"),
    issue: (names, days = 2) => {
      const name = `leaf${++issued}`;
      writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names}`);
      openssl("req", ...KEY, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", "/CN=leaf");
      const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", String(days)];
      openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-extfile", `${name}.ext`, "-out", `${name}.pem`);
      return { cert: read(`${name}.pem`), key: read(`${name}.key`) };
    },
    selfSigned: (names) => {
      const subject = ["-subj", "/CN=self", "-addext", `subjectAltName=${names}`];
      openssl("req", "-x509", ...KEY, "-keyout", "self.key", "-out", "self.pem", "-days", "2", ...subject);
      return { cert: read("self.pem"), key: read("self.key") };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};
