declare const marked: unique symbol;

/** An English source that `markText` marked; `t` translates it when it is shown. */
export type Text = string & { readonly [marked]: true };

/** Marks an English source in a table: `t` translates it when it is shown. */
export const markText = <S extends string>(source: string extends S ? never : S): Text => source as string as Text;
