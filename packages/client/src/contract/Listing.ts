/** A listing: a promise of the page asked for, and an iteration over the items of that page and of all after it. */
export interface Listing<Page, Item> extends Promise<Page>, AsyncIterable<Item> {}
