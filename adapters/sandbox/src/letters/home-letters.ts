import type { Conversation } from "./Conversation.ts";

/** Letters from family and friends. */
export const HOME: ReadonlyArray<Conversation> = [
  {
    subject: "Lunch on Thursday?",
    daysAgo: 1,
    letters: [
      { by: "sam", text: "The place by the canal has opened again. Half past twelve?" },
      {
        by: "robin",
        hours: 1,
        text: "Yes! I have not had their soup since spring. I take the table outside if it does not rain.",
      },
      { by: "sam", hours: 1, text: "It never rains on soup day 🍲" },
    ],
  },
  {
    subject: "Photos from the lake",
    daysAgo: 6,
    letters: [
      {
        by: "theo",
        cc: ["helen"],
        text: "The best one is below, the rest when I am back on a real connection.\n\nTheo",
        rich: "lake@vale.test",
        files: ["lakeInline"],
        flagged: true,
      },
      {
        by: "helen",
        to: ["theo", "robin"],
        hours: 4,
        text: "Beautiful. Is that the jetty your father built? It still stands straighter than he did.\n\nLove, Mum",
      },
      {
        by: "robin",
        to: ["theo", "helen"],
        hours: 3,
        text: "It is the jetty. Send the large one, I want it for the wall.",
      },
      { by: "theo", hours: 40, text: "Here it is, the large one.", files: ["photo"] },
    ],
  },
  {
    subject: "Sunday",
    daysAgo: 3,
    letters: [
      {
        by: "helen",
        text: "Dear Robin,\n\nare you coming on Sunday? I am making the plum cake and need to know how many plums to send Theo up the tree for.\n\nMum",
      },
      { by: "robin", hours: 5, text: "I am coming, and I bring Sam, so: many plums." },
    ],
  },
  {
    subject: "Ξεκινάμε 🚀",
    daysAgo: 15,
    folder: "Ελληνικά",
    letters: [
      {
        by: "maria",
        text: "Καλημέρα Robin,\n\nτο πρόγραμμα του ταξιδιού είναι έτοιμο. Το σπίτι είναι δικό σας από τις δεκαπέντε, το κλειδί είναι κάτω από τη γλάστρα με τον βασιλικό.\n\nΣας περιμένουμε!\nΜαρία",
        files: ["trip"],
      },
      { by: "robin", hours: 8, text: "Καλημέρα Μαρία! Ευχαριστούμε πολύ. Φέρνουμε τυρί και καλή διάθεση." },
      { by: "maria", hours: 3, text: "Τυρί έχουμε 😄 Φέρτε βιβλία." },
    ],
  },
  {
    subject: "Το λάδι",
    daysAgo: 120,
    folder: "Ελληνικά",
    letters: [
      {
        by: "maria",
        text: "Η φετινή σοδειά είναι εξαιρετική. Σας στέλνω πέντε λίτρα με το πλοίο.\n\nΜαρία",
        encoding: "base64",
      },
    ],
  },
  {
    subject: null,
    daysAgo: 4,
    letters: [
      { by: "sam", text: "Forgot the subject, sorry. Did I leave my grey scarf at yours?" },
      { by: "robin", hours: 1, text: "You did. The cat has it, negotiations are under way." },
    ],
  },
  {
    subject: "Keys",
    daysAgo: 9,
    letters: [
      {
        by: "theo",
        text: "They are with the neighbour on the second floor. She is home after six and likes to be asked about her tomatoes.",
      },
    ],
  },
  {
    subject: "Your appointment",
    daysAgo: 17,
    letters: [
      {
        by: "dentist",
        text: "Dear patient,\n\nyour half-yearly check-up is due. We have kept a morning for you, see the invitation. If it does not suit, ring us.\n\nBrook Street Dental",
        files: ["checkup"],
      },
    ],
  },
  {
    subject: "Reading group: which one next?",
    daysAgo: 29,
    letters: [
      {
        by: "sam",
        to: ["robin", "theo"],
        text: "Three on the table:\n\n1. the one about the lighthouse\n2. the long one about the whale\n3. the short one that lost us all\n\nVotes by Friday, please.",
      },
      { by: "theo", to: ["sam", "robin"], hours: 3, text: "2, obviously." },
      { by: "robin", to: ["sam", "theo"], hours: 2, text: "3. I want to know whether it was us." },
      { by: "sam", to: ["robin", "theo"], hours: 28, text: "I cast the deciding vote for 1 and feel no shame." },
    ],
  },
  {
    subject: "Bicycle",
    daysAgo: 52,
    letters: [
      { by: "sam", text: "The blue one is for sale after all: new chain, old bell, 140. Interested?" },
      { by: "robin", hours: 4, text: "Interested! Is the bell the one that sounds like a tram?" },
      { by: "sam", hours: 1, text: "The very same. I keep it for you until Saturday." },
    ],
  },
  {
    subject: "Zażółć gęślą jaźń",
    daysAgo: 83,
    letters: [
      {
        by: "lena",
        text: 'Cześć! Test polskich znaków: wszystko dotarło? Moja babcia pyta, czy naprawdę umiesz już powiedzieć "źdźbło".',
      },
    ],
  },
  {
    subject: "The recipe",
    daysAgo: 90,
    letters: [
      {
        by: "robin",
        to: ["helen"],
        text: "Mum, how much cardamom goes into the buns? I guessed, and it was not a good guess.",
      },
      {
        by: "helen",
        hours: 2,
        text: "Two teaspoons, freshly ground, for a kilo of flour. And let them rest! You never let them rest.\n\nMum",
        flagged: true,
      },
    ],
  },
  {
    subject: "Happy birthday!! 🎂🎉",
    daysAgo: 143,
    letters: [
      {
        by: "theo",
        text: "Many happy returns! The parcel is late, which you would expect, and fragile, which you would not.\n\n🎈🎈🎈",
      },
      { by: "sam", hours: 1, text: "Happy birthday! Dinner is on me, the candles are on you." },
      {
        by: "robin",
        to: ["theo"],
        hours: 9,
        text: "Thank you! The parcel came, and so did the kiln. It is magnificent and I have nowhere to put it.",
      },
    ],
  },
  {
    subject: "Re: Fwd: Re: the boiler",
    daysAgo: 171,
    letters: [
      { by: "theo", text: "He came, he looked, he sighed. Part arrives in two weeks." },
      { by: "robin", hours: 1, text: "Did he sigh like last time or worse?" },
      { by: "theo", hours: 1, text: "Worse. But he left his thermos here, so he has to come back." },
    ],
  },
  {
    subject: "Concert tickets",
    daysAgo: 196,
    letters: [
      {
        by: "sam",
        text: "Row 7, two seats, side gallery. You owe me 38 and an apology for what you said about the cello.",
      },
      { by: "robin", hours: 2, text: "Paid the 38. On the cello I will not be moved." },
    ],
  },
  {
    subject: "Moving day",
    daysAgo: 231,
    letters: [
      {
        by: "sam",
        to: ["robin", "theo"],
        text: "Van at eight, breakfast at half past seven. Bring gloves, the piano has opinions.",
      },
    ],
  },
  {
    subject: "Grandma's letters",
    daysAgo: 262,
    letters: [
      {
        by: "helen",
        to: ["robin", "theo"],
        text: "I found the box. There are about two hundred, most of them in pencil. I will bring a few on Sunday, the rest when we have decided who reads them aloud.",
      },
      { by: "theo", to: ["helen"], cc: ["robin"], hours: 6, text: "Robin reads, I bake, you correct." },
    ],
  },
  {
    subject: "Snow!",
    daysAgo: 318,
    letters: [
      { by: "helen", text: "Forty centimetres overnight. The bird table is a white hat. Ring when you are up.\n\nMum" },
    ],
  },
];
