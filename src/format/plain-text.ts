const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Removes the tags of HTML and decodes its entities. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, character)
    .replace(/\s+/g, ' ')
    .trim()
}

function character(entity: string, decimal?: string, hexadecimal?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? entity
  const point = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
  const isText = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
  return isText ? String.fromCodePoint(point) : entity
}
