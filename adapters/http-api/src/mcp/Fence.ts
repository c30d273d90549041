import { cleanText } from "./clean-text.ts";

/** An address that needs no fence, because it is too short to contain a sentence. */
const PLAIN_ADDRESS = /^[\w.+=&'*/-]{1,64}@[\w.-]{1,255}$/;

const PLAIN_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,128}$/;

/** The texts that were removed from a result because a person does not see them. */
export interface Hidden {
  readonly kind: string;
  readonly characters: number;
}

/** Encloses the texts of strangers in marks. The marks contain a nonce of the call, which no sender can know. */
export class Fence {
  readonly #nonce: string;
  readonly #hidden = new Map<string, number>();
  readonly addresses = new Set<string>();

  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  /** Returns a text, cleaned and enclosed in marks. */
  around(text: string): string {
    const clean = cleanText(text);
    if (clean.invisible > 0) this.report("invisible_characters", clean.invisible);
    for (const address of clean.addresses) this.addresses.add(address);
    return this.between(clean.text);
  }

  /** Returns a cleaned text or an address enclosed in marks. */
  between(text: string): string {
    return `<untrusted ${this.#nonce}>${text}</untrusted ${this.#nonce}>`;
  }

  address(address: string): string {
    return address === "" || PLAIN_ADDRESS.test(address) ? address : this.around(address);
  }

  mediaType(type: string): string {
    return PLAIN_TYPE.test(type) ? type : this.around(type);
  }

  report(kind: string, characters: number): void {
    this.#hidden.set(kind, (this.#hidden.get(kind) ?? 0) + characters);
  }

  get hidden(): ReadonlyArray<Hidden> {
    return [...this.#hidden].map(([kind, characters]) => ({ kind, characters }));
  }
}
