import type { IncomingMessage } from 'node:http'
import type { Params } from './stripe-things.ts'

export async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** `a[b][0]=c` is `{ a: { b: { 0: 'c' } } }`. */
export function paramsOf(given: URLSearchParams): Params {
  const params: Params = {}
  for (const [name, value] of given) {
    const path = name.split(/[[\]]+/).filter(Boolean)
    const last = path.pop()!
    let inner = params
    for (const part of path) {
      inner[part] ??= {}
      inner = inner[part] as Params
    }
    inner[last] = value
  }
  return params
}
