import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** An HTTP server with one handler per path. Other paths are 404. */
export interface Site {
  url: string
  answers: Map<string, Answer>
  close(): Promise<void>
}

export async function startSite(): Promise<Site> {
  const answers = new Map<string, Answer>()
  const server = createServer((request, response) => {
    const answer = answers.get(new URL(request.url!, 'http://site').pathname)
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
