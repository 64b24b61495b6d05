/** Returns the text of a page without its markup. */
export function words(html: string): string {
  const plain = html.replace(/<head>[\s\S]*<\/head>/, '').replaceAll(/<[^>]+>/g, ' ')
  return plain
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,])/g, '$1')
}
