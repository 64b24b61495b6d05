import type { Json } from '../../src/sandbox/api.ts'

/** One thing that a query says: `status=draft`, or with a key `amount[gte]=5`. */
export interface Said {
  name: string
  key?: string | undefined
  value: string
}

/** The query as HTTP carries it. */
export const asText = (query: Said[]) =>
  query
    .map(({ name, key, value }) =>
      [key === undefined ? name : `${name}[${key}]`, value].map(encodeURIComponent).join('='),
    )
    .join('&')

/** The same query as a program would write it: lists and hashes. */
export const asParams = (query: Said[]): { [key: string]: Json } => {
  const params = new Map<string, Json>()
  for (const { name, key, value } of query) {
    const known = params.get(name)
    if (key === undefined) params.set(name, known === undefined ? value : [known, value].flat())
    else params.set(name, { ...(known as object), [key]: value })
  }
  return Object.fromEntries(params)
}
