import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { startShopwright, TOKEN } from '../servers.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows have no static type
type Row = any

export interface Answer {
  body: { [key: string]: unknown }
  isError: boolean
  /** The text that the agent reads. */
  text: string
  /** The API calls that the program made, such as "GET /v1/orders 200". */
  calls: string[]
}

/** A running shop, which an agent uses over MCP and its owner over the REST API. */
export interface Shop {
  tool(name: string, code: string): Promise<Answer>
  toolList(): Promise<object[]>
  get(path: string): Promise<Row>
  all(path: string): Promise<Row[]>
  openapi(): Promise<Row>
  close(): Promise<void>
}

/** Starts the demo shop, whose data covers half a year of orders, subscriptions, invoices, posts and forms. */
export async function openShop(directory: string): Promise<Shop> {
  const server = await startShopwright(directory, { DEMO_DATA: 'shop', SANDBOX_WORKERS: '1' })
  const url = `http://127.0.0.1:${server.port}`
  const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' }
  const get = async (path: string): Promise<Row> => {
    const response = await fetch(`${url}/v1${path}`, { headers })
    if (!response.ok) throw new Error(`GET ${path}: ${await response.text()}`)
    return response.json()
  }
  const rpc = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headers, Accept: 'application/json, text/event-stream' },
      body,
    })
    return messagesOf(await response.text())
  }
  return {
    get,
    async all(path) {
      const rows: Row[] = []
      for (let more = true; more; ) {
        const after = rows.length === 0 ? '' : `&starting_after=${rows.at(-1).id}`
        const page = await get(`${path}${path.includes('?') ? '&' : '?'}limit=100${after}`)
        rows.push(...page.data)
        more = page.has_more
      }
      return rows
    },
    async tool(name, code) {
      const messages = await rpc('tools/call', { name, arguments: { code }, _meta: { progressToken: 1 } })
      const { result } = messages.find((message) => 'result' in message)!
      const calls = messages.flatMap(({ params }) => (params?.message ? [params.message] : []))
      return { body: result.structuredContent, isError: result.isError === true, text: result.content[0].text, calls }
    },
    toolList: async () => (await rpc('tools/list', {}))[0]!.result.tools,
    openapi: () => get('/openapi.json'),
    close: () => server.stop(),
  }
}

/** Returns the JSON-RPC messages in a response, which is JSON or an event stream. */
function messagesOf(text: string): Row[] {
  if (text.startsWith('{')) return [JSON.parse(text)]
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

export const bytesOf = (text: string): number => Buffer.byteLength(text)
export const tokensOf = (text: string): number => encode(text).length
