import type { TaskResult } from './replay.ts'
import { bytesOf, type Shop, tokensOf } from './shop.ts'

const METHODS = ['get', 'post', 'patch', 'delete']

/** Another way to offer the same API to an agent, and the number of tokens that the agent reads before its first call. */
export interface Peer {
  name: string
  tokens: number
}

export async function peers(shop: Shop): Promise<Peer[]> {
  const document = await shop.openapi()
  const tools = Object.entries<Record<string, object>>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => toolOf(document, path, method, item[method])),
  )
  return [
    { name: `a tool for each of ${tools.length} operations`, tokens: tokensOf(JSON.stringify(tools)) },
    { name: 'the OpenAPI document', tokens: tokensOf(JSON.stringify(document)) },
  ]
}

/** Makes a tool of an operation like server generators do: its parameters and body are the input. */
// biome-ignore lint/suspicious/noExplicitAny: the document has no static type
function toolOf(document: any, path: string, method: string, operation: any) {
  const parameters = (operation.parameters ?? []).map((one: object) => resolved(document, one))
  const body = resolved(document, operation.requestBody?.content?.['application/json']?.schema ?? {})
  const properties = Object.fromEntries(
    parameters.map((one: { name: string; schema: object }) => [one.name, one.schema]),
  )
  const required = parameters
    .filter((one: { required?: boolean }) => one.required)
    .map((one: { name: string }) => one.name)
  return {
    name: operation.operationId ?? `${method}_${path}`,
    description: [operation.summary, operation.description].filter(Boolean).join('\n'),
    inputSchema: {
      type: 'object',
      properties: { ...properties, ...body.properties },
      required: [...required, ...(body.required ?? [])],
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the document has no static type
function resolved(document: any, value: any, depth = 0): any {
  if (depth > 20 || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((one) => resolved(document, one, depth + 1))
  if (typeof value.$ref === 'string') {
    const target = value.$ref
      .slice(2)
      .split('/')
      .reduce((at: Record<string, unknown>, key: string) => at[key], document)
    return resolved(document, target, depth + 1)
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(document, one, depth + 1)]))
}

/** Returns the bytes of API responses that an agent would read for the same requests. Only reads are sent again and counted. */
export async function answersOf(shop: Shop, { requests }: TaskResult): Promise<number> {
  let bytes = 0
  for (const request of requests) {
    const [method, path] = request.split(' ')
    if (method === 'GET') bytes += bytesOf(JSON.stringify(await shop.get(path!.replace(/^\/v1/, '')).catch(() => ({}))))
  }
  return bytes
}
