import type { Correspondent } from "./compose.ts";

/** The correspondents; `.test` addresses reach no person (RFC 6761). `robin` is the demo account, `sam` its friend. */
export const PEOPLE = {
  robin: { name: "Robin Vale", address: "demo@postern.test" },
  sam: { name: "Sam Okoye", address: "friend@postern.test" },
  ada: { name: "Ada Okafor", address: "ada@northwind.test" },
  lena: { name: "Lena Kowalska", address: "lena@northwind.test" },
  priya: { name: "Priya Raman", address: "priya@northwind.test" },
  joerg: { name: "Jörg Müller", address: "joerg@mueller-bau.test" },
  renee: { name: "Renée Dubois", address: "renee@atelier-dubois.test" },
  tanaka: { name: "田中 健一", address: "tanaka@hakone.test" },
  olga: { name: "Ольга Иванова", address: "olga@neva.test" },
  maria: { name: "Μαρία Παπαδοπούλου", address: "maria@kalamata.test" },
  noor: { name: "نور الحسن", address: "noor@riyadh.test" },
  helen: { name: "Helen Vale", address: "helen.vale@vale.test" },
  theo: { name: "Theo Vale", address: "theo@vale.test" },
  dentist: { name: "Brook Street Dental", address: "reception@brookdental.test" },
  council: { name: "City Planning, Counter 4", address: "planning@city.test" },
} as const satisfies Record<string, Correspondent>;

export type PersonId = keyof typeof PEOPLE;
