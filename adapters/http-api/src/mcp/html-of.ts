import { Marked } from "marked";

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** HTML in the Markdown is shown as text, so that a draft hides nothing from a person who approves it. */
const markdown = new Marked({
  breaks: true,
  renderer: {
    html: ({ text }) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!),
    image: ({ text, href }) => `${text} (${href})`.replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!),
  },
});

/** Returns the HTML of a text in Markdown. */
export const htmlOf = (text: string): string => markdown.parse(text, { async: false });
