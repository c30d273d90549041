/** Returns HTML with an invisible image at its end. A request for the image counts as an opening (spec 7). */
export const withPixel = (html: string, url: string): string => {
  const pixel = `<img src="${url}" width="1" height="1" alt="" style="display:none">`;
  const end = html.toLowerCase().lastIndexOf("</body>");
  return end < 0 ? html + pixel : html.slice(0, end) + pixel + html.slice(end);
};
