/*! The icons are Lucide's (https://lucide.dev), under the licences in icons.LICENSE.txt. */
import { icon } from "./icons.tsx";

export const Ellipsis = icon(
  <>
    <circle cx="12" cy="12" r="1" />
    <circle cx="19" cy="12" r="1" />
    <circle cx="5" cy="12" r="1" />
  </>,
);
