/** The blocks of code of a page in Markdown, by the first line that opens them. */
export function blocksOf(markdown: string): { info: string; code: string }[] {
  return [...markdown.matchAll(/^```(\S.*)\n([\s\S]*?)\n```$/gm)].map(([, info, code]) => ({
    info: info!,
    code: code!,
  }))
}

/** The one block that begins so. */
export function blockOf(markdown: string, info: string): string {
  const found = blocksOf(markdown).filter((block) => block.info === info)
  if (found.length !== 1) throw new Error(`There are ${found.length} blocks of ${info} in:\n${markdown}`)
  return found[0]!.code
}

/** Where the links of a page in HTML lead, without those that stay on the page. */
export function linksOf(html: string): string[] {
  return [...html.matchAll(/<(?:a|link)\b[^>]*\bhref="([^"]*)"/g)]
    .map(([, href]) => href!.replaceAll('&amp;', '&'))
    .filter((href) => !href.startsWith('#'))
}
