/** Goes back to the previous page of the console, or to `fallback` if the browser knows no previous page. */
export const goBack = (navigate: (path: string) => void, fallback: string): void => {
  // Firefox and older browsers may lack the Navigation API.
  const { navigation } = window as { readonly navigation?: Navigation };
  const before = navigation?.entries()[(navigation.currentEntry?.index ?? 0) - 1];
  if (before?.sameDocument === true) history.back();
  else navigate(fallback);
};
