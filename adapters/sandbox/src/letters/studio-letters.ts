import type { Conversation } from "./Conversation.ts";

/** Correspondence of the small architecture studio where Robin works. */
export const STUDIO: ReadonlyArray<Conversation> = [
  {
    subject: "Canal house: stairs",
    daysAgo: 2,
    letters: [
      {
        by: "ada",
        cc: ["lena"],
        text: "Morning Robin,\n\nthe client now prefers the second variant, with the landing on the canal side. Can you check whether we keep the headroom under beam B4?\n\nAda",
      },
      {
        by: "lena",
        to: ["ada"],
        cc: ["robin"],
        hours: 2,
        text: "B4 stays where it is, I am afraid: it carries the roof. But we may lower the landing by 8 cm. The check is attached.\n\nLena",
        files: ["structure"],
      },
      {
        by: "robin",
        to: ["ada", "lena"],
        hours: 1,
        text: "With 8 cm we get 2.06 m, which is fine. I will redraw it today and send the sketch before you meet them.",
      },
      {
        by: "ada",
        cc: ["lena"],
        hours: 3,
        text: "Perfect, that saves the oak landing. Tuesday ten o'clock with the client, you are invited.",
        files: ["review"],
        flagged: true,
      },
    ],
  },
  {
    subject: "Minutes of Tuesday",
    daysAgo: 5,
    letters: [
      {
        by: "priya",
        to: ["ada", "lena", "robin"],
        text: "Hello all,\n\nthe minutes are attached. Please correct what I got wrong before Friday.\n\nPriya",
        files: ["minutes"],
      },
      {
        by: "robin",
        to: ["priya"],
        cc: ["ada", "lena"],
        hours: 20,
        text: "Only one thing: it was Lena, not me, who promised the glass samples. Otherwise lovely, as ever.",
      },
      { by: "lena", to: ["robin"], cc: ["priya"], hours: 1, text: "Guilty. They come on Monday." },
    ],
  },
  {
    subject: "Budget, second quarter",
    daysAgo: 61,
    folder: "Projects/2026",
    letters: [
      {
        by: "priya",
        text: "The table is attached. Glass is over by 410, timber is under by 450, so we are fine by forty.",
        files: ["budget"],
      },
      { by: "robin", hours: 6, text: "Fine by me. I moved travel to the third quarter, the rest stays." },
    ],
  },
  {
    subject: "A question about the contract",
    daysAgo: 74,
    folder: "Projects",
    letters: [
      {
        by: "ada",
        text: "Before I sign: does the notice period in 7.2 also hold for the storage room? It reads as if it might not.",
        files: ["contract"],
      },
      { by: "robin", hours: 2, text: "It does, by 9.1. But let us ask them to say so in 7.2, it costs nothing." },
      { by: "ada", hours: 49, text: 'They agreed, the word "storage" is now in 7.2. Signed and scanned.' },
    ],
  },
  {
    subject: "Building permit, file 4-1187",
    daysAgo: 97,
    folder: "Projects",
    letters: [
      {
        by: "council",
        text: "Dear applicant,\n\nyour file is complete. A decision takes up to eight weeks.\n\nThis address is read on working days.",
      },
      {
        by: "council",
        hours: 900,
        text: "Dear applicant,\n\nthe permit is granted. The decision is attached; it becomes final after thirty days.",
        files: ["permit"],
        flagged: true,
      },
      { by: "robin", to: ["ada", "lena", "priya"], hours: 1, text: "We have it! Cake at four." },
    ],
  },
  {
    subject: "Site visit",
    daysAgo: 40,
    folder: "Projects/2026",
    letters: [
      { by: "lena", text: "Boots, please. The cellar has ten centimetres of water again.", files: ["visit"] },
      { by: "robin", hours: 2, text: "Boots are packed. I also bring the pump from the office, if Priya lets me." },
      { by: "priya", to: ["robin", "lena"], hours: 1, text: "Priya lets you. Bring it back cleaner than last time." },
    ],
  },
  {
    subject: "Interview on Thursday",
    daysAgo: 110,
    letters: [
      {
        by: "priya",
        cc: ["ada"],
        text: "The candidate confirmed for eleven. Her portfolio is on the shared drive, the bridge on page nine is worth your time.",
      },
      { by: "robin", hours: 3, text: "The bridge is wonderful. I would ask her about the handrail." },
      {
        by: "ada",
        to: ["priya", "robin"],
        hours: 30,
        text: "Hired. She starts on the first, and the handrail was her idea.",
      },
    ],
  },
  {
    subject: "Tea house: first sketches",
    daysAgo: 64,
    folder: "Projects/2026",
    letters: [
      {
        by: "lena",
        cc: ["ada"],
        text: "My first idea for the plan, below. The garden door wants to be wider, but then the post stands in the way.",
        rich: "plan@northwind.test",
        files: ["planInline"],
      },
      {
        by: "robin",
        hours: 5,
        text: "Move the post a hand's width and it becomes the frame of the view. See my scribble.",
        files: ["sketch"],
      },
      { by: "lena", hours: 15, text: "That is almost unfairly simple. Done." },
    ],
  },
  {
    subject: "Handover of the reading room",
    daysAgo: 205,
    letters: [
      {
        by: "ada",
        to: ["robin", "lena"],
        text: "Keys on Friday at nine. Bring the folder with the warranty papers, they asked for it twice.",
      },
      {
        by: "robin",
        to: ["ada"],
        hours: 18,
        text: "Folder is packed, tabs and all. Shall I bring flowers? It is that kind of room.",
      },
      { by: "ada", hours: 1, text: "Bring flowers." },
    ],
  },
];
