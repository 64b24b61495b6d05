import type { Surroundings } from './visit.ts'

/** The address of a thing's page, or null where such things have none. */
export function addressOf({ catalogue, base }: Surroundings, noun: string, id: string): string | null {
  const found = catalogue.of(noun)
  return found?.retrieve && id !== '' ? `${base}/${found.path}/${encodeURIComponent(id)}` : null
}

/** An address with parameters; those that are empty are left out. */
export function withQuery(address: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const text = new URLSearchParams(given).toString()
  return text === '' ? address : `${address}?${text}`
}
