import type { Json } from '../../src/sandbox/api.ts'

/** One query parameter: `status=draft`, or with a key `amount[gte]=5`. */
export interface Said {
  name: string
  key?: string | undefined
  value: string
}

/** Returns the query string. */
export const asText = (query: Said[]) =>
  query
    .map(({ name, key, value }) =>
      [key === undefined ? name : `${name}[${key}]`, value].map(encodeURIComponent).join('='),
    )
    .join('&')

/** Returns the same query as a program would write it, with lists and hashes. */
export const asParams = (query: Said[]): { [key: string]: Json } => {
  const params = new Map<string, Json>()
  for (const { name, key, value } of query) {
    const known = params.get(name)
    if (key === undefined) params.set(name, known === undefined ? value : [known, value].flat())
    else params.set(name, { ...(known as object), [key]: value })
  }
  return Object.fromEntries(params)
}
