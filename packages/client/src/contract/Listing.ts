/** A listing: a promise of the requested page, and an iteration over the items of this page and all later pages. */
export interface Listing<Page, Item> extends Promise<Page>, AsyncIterable<Item> {}
