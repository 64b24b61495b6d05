import type { Server } from '../support/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers of any operation
type Json = any

/** What a version knows by itself, without any data. */
const OF_CODE = ['/social_accounts/platforms']

/** What every list shows without parameters, by its path. */
export async function answersOf(server: Server, token: string): Promise<Map<string, Json[]>> {
  const document = await (await fetch(`${server.url}/v1/openapi.json`)).json()
  const paths = Object.entries((document as Json).paths)
    .filter(([path, { get }]: [string, Json]) => get && !path.includes('{'))
    .map(([path]) => path)
  const answers = new Map<string, Json[]>()
  for (const path of paths) {
    const { status, text } = await server.api('GET', path, undefined, { token })
    if (status !== 200 || OF_CODE.includes(path)) continue
    // Each start has another port.
    const body = JSON.parse(text.replaceAll(/(?<=http:\/\/(?:[\w-]+\.)?localhost):\d+/g, ''))
    answers.set(path, Array.isArray(body.data) ? body.data : [body])
  }
  return answers
}

/** What was shown before and is not shown the same way now: `/orders ord_1: amount`. Further fields are no change. */
export function lostBetween(before: Map<string, Json[]>, after: Map<string, Json[]>): string[] {
  return [...before].flatMap(([path, rows]) => {
    const now = after.get(path)
    if (!now) return [`${path} is gone`]
    return rows.flatMap((row) => {
      const same = row.id === undefined ? now[rows.indexOf(row)] : now.find(({ id }: Json) => id === row.id)
      return differences(row, same).map((field) => `${path} ${row.id ?? ''}: ${field}`)
    })
  })
}

function differences(before: Json, after: Json, at = ''): string[] {
  if (before === null || typeof before !== 'object')
    return Object.is(before, after) ? [] : [`${at} ${before} → ${after}`]
  // What can be done, and what there is to choose from, may become more and come in another order.
  if (Array.isArray(before) && before.every((one) => typeof one === 'string') && Array.isArray(after))
    return before.filter((one) => !after.includes(one)).map((one) => `${at} without ${one}`)
  if (after === null || typeof after !== 'object') return [`${at} is gone`]
  return Object.keys(before).flatMap((name) => differences(before[name], after[name], at ? `${at}.${name}` : name))
}
