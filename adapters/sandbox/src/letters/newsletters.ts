import type { Series } from "./Series.ts";

const FAREWELL = "\n\nYou get this because you asked for it. To leave, answer with the word leave.";

/** Newsletters; each issue has a title and news. */
export const NEWSLETTERS: ReadonlyArray<Series> = [
  {
    from: { name: "Harbour Weekly", address: "news@harbour.test" },
    list: "weekly.harbour.test",
    subject: "{item}",
    text: `{item}\n\n{blurb}\n\nAlso this week: tide tables, the ferry's new timetable and a letter from the lock keeper.${FAREWELL}`,
    count: 26,
    everyDays: 7,
    latest: 1,
    items: [
      "The swing bridge swings again|After eleven weeks of repair the bridge opened on Monday, two minutes early.",
      "Who owns the old crane?|Three letters, two claims and one heron's nest: the crane at quay 6 stays where it is.",
      "Night market returns|Forty stalls on Friday, lanterns lit at eight. Bring your own cup.",
      "Seal seen at lock 3|It stayed for an hour and left with a fish. The lock keeper was not amused.",
      "New moorings, old prices|Twelve places for small boats from next month. The list opens on Tuesday at nine.",
      "A library on a barge|Two thousand books, one stove, and a cat that came with the boat.",
      "Winter swimming: the rules|Never alone, never long, and the sauna closes at seven.",
      "The rope works turn 150|Open day on Sunday, with a rope long enough for everyone to hold.",
      "Low water on Thursday|The ferry runs from the outer steps only. Allow ten minutes more.",
    ],
  },
  {
    from: { name: "Timber & Joint", address: "editor@timberjoint.test" },
    list: "readers.timberjoint.test",
    subject: "Timber & Joint no. {n}: {item}",
    text: `{item}\n\n{blurb}\n\nIn the workshop section: sharpening, again, because you asked again.${FAREWELL}`,
    count: 12,
    everyDays: 30,
    latest: 11,
    items: [
      "the scarf joint|Four ways to make a beam longer, and the one that lasts.",
      "ash after the dieback|What mills still have, and what it is good for.",
      "stairs without steel|A spiral in oak that carries a piano. We went and counted the pegs.",
      "glue, or not|A carpenter and a chemist disagree, politely, over nine pages.",
      "the temple builders' marks|How a frame of three thousand pieces goes together without a drawing.",
      "green wood|Build wet, wait a year, and be surprised in the right places.",
    ],
  },
  {
    from: { name: "Open Maps Digest", address: "digest@maps.test" },
    list: "digest.maps.test",
    subject: "[digest] {item}",
    text: `{item}\n\n{blurb}\n\n312 edits near you since the last digest, 4 of them by people you follow.${FAREWELL}`,
    count: 17,
    everyDays: 14,
    latest: 4,
    items: [
      "New surveys near you|The allotments behind the station are mapped to the last shed.",
      "Help wanted: house numbers|One street in six still lacks them. An hour's walk changes that.",
      "Import of the tree register|18,000 trees, each with a species. Please check yours.",
      "Footpath or cycle path?|A survey of signs that contradict each other, with photographs.",
      "Offline week|Print a field sheet, walk, draw. The scanner reads pencil now.",
    ],
  },
  {
    from: { name: "The Reading Room", address: "hello@reading-room.test" },
    list: "members.reading-room.test",
    subject: "New on the shelves: {item}",
    text: `Dear member,\n\n{blurb}\n\nKept for you at the desk for ten days if you answer this message.\n\nThe Reading Room${FAREWELL}`,
    count: 9,
    everyDays: 38,
    latest: 20,
    items: [
      "bridges|A picture book of small bridges, none of them longer than a bus.",
      "letters|The letters of a lighthouse keeper to a keeper she never met.",
      "gardens|A history of the kitchen garden in forty vegetables.",
      "maps|An atlas of places that were moved: villages, stations, one cathedral.",
    ],
  },
];
