import { jsonIn } from '../contract/values/json.ts'
import { WHOLE_RESULT } from '../mcp/endpoint/server.ts'
import { CommandError, type End } from './exit-codes.ts'
import type { ToolAnswer } from './tool-answer.ts'

interface ToolResponse {
  result?: { structuredContent?: ToolAnswer }
  error?: { message: string }
}

/** Calls an MCP tool on a server. Throws CommandError if the server is unreachable or refuses the call. */
export async function callServer(
  given: string,
  token: string,
  { tool, code }: { tool: string; code: string },
  signal: AbortSignal | null = null,
): Promise<ToolAnswer> {
  const url = given.trim().replace(/\/+$/, '')
  const params = { name: tool, arguments: { code }, _meta: { [WHOLE_RESULT]: true } }
  const headers = {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const { status, reply } = await send(url, { method: 'POST', headers, body, signal })
  if (reply?.result?.structuredContent) return reply.result.structuredContent
  const reason = typeof reply?.error === 'object' ? reply.error.message : undefined
  if (reason === undefined)
    throw new CommandError('unreachable', `The server at ${url}/mcp is not a Shopwright server.`)
  throw new CommandError(REFUSALS[status] ?? 'failed', `The server refused: ${reason}`)
}

const REFUSALS: Record<number, End> = { 401: 'badToken', 403: 'badToken', 429: 'busy', 503: 'busy' }

async function send(url: string, request: RequestInit): Promise<{ status: number; reply?: ToolResponse | null }> {
  try {
    const response = await fetch(`${url}/mcp`, request)
    const text = await response.text()
    return { status: response.status, reply: jsonIn<ToolResponse | null>(text) }
  } catch {
    if (request.signal?.aborted) throw new CommandError('stopped', 'Stopped.')
    throw new CommandError('unreachable', `No server answers at ${url}.`)
  }
}
