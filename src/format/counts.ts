import { formatNumber } from './numbers.ts'

/** Returns a count with its noun: `1 order`, `2,000 orders`, `0 categories`. */
export function counted(count: number, one: string, many = pluralOf(one)): string {
  return `${formatNumber(count)} ${nounFor(count, one, many)}`
}

/** Returns the noun for a count: `order` for 1, `orders` for other counts. */
export function nounFor(count: number, one: string, many = pluralOf(one)): string {
  return count === 1 ? one : many
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`
}
