import type { CallAnswer, Json, Outcome, Program, Sandbox, Tool } from '../../src/sandbox/api.ts'
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts'
import { SANDBOX_CACHE_DIR } from '../support/cache.ts'

/** A small catalogue in the shape of the real one. */
export const tools: Tool[] = [
  tool('GET', '/v1/products', 'List products', ['Products']),
  tool('POST', '/v1/products', 'Create a product', ['Products'], { type: 'object', properties: { name: {} } }),
  tool('GET', '/v1/products/{id}', 'Get a product', ['Products']),
  tool('GET', '/v1/products/{id}/variants', 'List variants', ['Variants']),
  tool('GET', '/v1/customers', 'List customers', ['Customers']),
]

function tool(method: string, path: string, summary: string, tags: string[], request_body: Json = null): Tool {
  return { method, path, summary, description: `${summary}.`, tags, parameters: [{ name: 'limit' }], request_body }
}

/** Two resources in the shape of the real ones. */
export const resources = {
  product: { description: 'Something that is sold', fields: { name: { type: 'string' }, price: { type: 'integer' } } },
  customer: { description: 'Someone who buys', fields: { email: { type: 'string' } } },
}

/** Answers every call with the same body. */
export const answering = (body: Json) => async (): Promise<CallAnswer> => ({ body, refused: false })

/** A sandbox on the small catalogue; its snapshot is shared by all tests of a run. */
export function openRoom(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return createSandbox({
    tools,
    resources,
    cacheDirectory: SANDBOX_CACHE_DIR,
    workers: 2,
    ...options,
  })
}

export function execute(sandbox: Sandbox, code: string, rest: Partial<Program> = {}): Promise<Outcome> {
  return sandbox.run({
    kind: 'execute',
    code,
    queueKey: 'account',
    call: async (call) => ({ body: { echo: { ...call } }, refused: false }),
    ...rest,
  })
}

/** The value of a program that must succeed. */
export async function resultOf(sandbox: Sandbox, code: string, rest: Partial<Program> = {}): Promise<Json> {
  const outcome = await execute(sandbox, code, rest)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}

/** The error of a program that must fail. */
export async function errorOf(sandbox: Sandbox, code: string, rest: Partial<Program> = {}) {
  const outcome = await execute(sandbox, code, rest)
  if (outcome.ok) throw new Error(`succeeded with ${JSON.stringify(outcome.value)}`)
  return outcome.error
}
