/** Who writes to the demo mailbox; `.test` addresses belong to nobody (RFC 6761). */
export const PEOPLE = [
  "Ada Okafor <ada@northwind.test>",
  "Renée Dubois <renee@atelier-dubois.test>",
  "Jörg Müller <joerg@müller-bau.test>".replace("müller", "xn--mller-kva"),
  "田中 健一 <tanaka@hakone.test>",
  "Ольга Иванова <olga@neva.test>",
  "Μαρία Παπαδοπούλου <maria@kalamata.test>",
  "نور الحسن <noor@riyadh.test>",
  "Lena Kowalska <lena@northwind.test>",
  "Priya Raman <priya@northwind.test>",
  "Friend <friend@postern.test>",
] as const;

/** What is written to many. */
export const LISTS = [
  { from: "Harbour Weekly <news@harbour.test>", list: "weekly.harbour.test", topic: "This week at the harbour" },
  { from: "Transit Alerts <alerts@transit.test>", list: "alerts.transit.test", topic: "Planned works on line 4" },
  { from: "Open Maps <digest@maps.test>", list: "digest.maps.test", topic: "Digest: new surveys near you" },
  { from: "The Reading Room <hello@reading-room.test>", list: "members.reading-room.test", topic: "New on the shelves" },
] as const;
