/** Joins items for a sentence: `a`, `a and b`, `a, b and c`; empty for no items. */
export function listed(items: readonly string[], before: 'and' | 'or' = 'and'): string {
  if (items.length < 2) return items.join()
  return `${items.slice(0, -1).join(', ')} ${before} ${items.at(-1)}`
}
