import type { Body } from '../support/shop.ts'

export const REVISION = '2026-07-28'
export const TASKS = 'io.modelcontextprotocol/tasks'
export const CLIENT = { name: 'test', version: '1.0.0' }

interface Endpoint {
  url: string
  token: string
}

/** The extensions that a client declares, and its other options. */
interface Sent {
  extensions?: Record<string, object>
  headers?: Record<string, string>
}

let lastId = 0

/** Sends one request of the revision 2026-07-28 as a plain HTTP client. */
export async function askModern(
  { url, token }: Endpoint,
  method: string,
  params: Record<string, unknown>,
  { extensions, headers = {} }: Sent = {},
): Promise<{ status: number; text: string; body: Body }> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': CLIENT,
    'io.modelcontextprotocol/clientCapabilities': extensions ? { extensions } : {},
  }
  const name = params.name ?? params.uri ?? params.taskId
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'mcp-protocol-version': REVISION,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params: { ...params, _meta } }),
  })
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text) }
}
