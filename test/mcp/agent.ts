import { startApp } from '../support/app.ts'

/** The result of a tool call as an agent receives it. */
export interface ToolResult {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent: Record<string, unknown> & {
    result?: unknown
    error?: { type: string; message: string } & Record<string, unknown>
  }
}

export type Agent = Awaited<ReturnType<typeof startAgent>>

let lastId = 0

function post({ url, token }: Endpoint, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/mcp`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
}

/** The MCP endpoint of a service and the token to call it with. */
interface Endpoint {
  url: string
  token: string
}

/** Calls a tool of a running service. */
export async function callTool(at: Endpoint, name: string, code: unknown, init?: RequestInit): Promise<ToolResult> {
  const params = { name, arguments: { code } }
  const response = await post(at, { jsonrpc: '2.0', id: ++lastId, method: 'tools/call', params }, init)
  return ((await response.json()) as { result: ToolResult }).result
}

/** Starts the real app with an agent that calls its endpoint as a plain HTTP client. */
export async function startAgent(options?: Parameters<typeof startApp>[0]) {
  const app = await startApp(options)
  const mcpUrl = `${app.url}/mcp`
  const authorization = `Bearer ${app.token}`

  const send = (body: unknown, init?: RequestInit) => post(app, body, init)
  const call = (name: string, code: unknown, init?: RequestInit) => callTool(app, name, code, init)

  return {
    app,
    mcpUrl,
    authorization,
    /** Posts a JSON-RPC body. */
    send,
    search: (code: unknown) => call('code_search', code),
    execute: (code: unknown, init?: RequestInit) => call('code_execute', code, init),
    /** Describes each text in its own program, because answers within one program repeat nothing. */
    async describeEach(texts: readonly string[]): Promise<string[]> {
      const pages: string[] = []
      for (const text of texts) {
        const { structuredContent } = await call('code_search', `describe(${JSON.stringify(text)})`)
        pages.push(structuredContent.result as string)
      }
      return pages
    },
    /** Returns the names of all tags. Tags are the smallest resource that a program can write. */
    async tags(): Promise<string[]> {
      const { body } = await app.api('GET', '/tags?limit=100')
      return body.data.map((tag: { name: string }) => tag.name)
    },
    close: () => app.close(),
  }
}
