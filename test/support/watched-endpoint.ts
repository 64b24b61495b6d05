import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Body } from './shop.ts'

/** One message of a client, and the status of its answer. */
interface Message {
  method: string
  params: Body
  headers: IncomingHttpHeaders
  status: number
}

/** An address that passes everything on to an endpoint, and remembers what clients sent. */
export interface WatchedEndpoint {
  url: string
  messages: Message[]
  close(): void
}

const HOP_BY_HOP = ['host', 'connection', 'content-length', 'content-encoding', 'transfer-encoding', 'keep-alive']

export async function watchEndpoint(url: string): Promise<WatchedEndpoint> {
  const messages: Message[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const passed = Object.entries(request.headers).filter(([name]) => !HOP_BY_HOP.includes(name))
    const headers = new Headers(passed as [string, string][])
    const answer = await fetch(url, { method: request.method!, headers, ...(body !== '' && { body }) })
    const text = await answer.text()
    const { method = request.method!, params = {} } = body === '' ? {} : JSON.parse(body)
    messages.push({ method, params, headers: request.headers, status: answer.status })
    const answered = [...answer.headers].filter(([name]) => !HOP_BY_HOP.includes(name))
    response.writeHead(answer.status, Object.fromEntries(answered)).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/mcp`, messages, close: () => server.close() }
}
