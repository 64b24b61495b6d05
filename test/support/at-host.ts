import { type IncomingHttpHeaders, request } from 'node:http'
import type { RunningApp } from './app.ts'

export interface HostAnswer {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

interface Options {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request to a running service with this `Host` header and with the path unchanged. */
export function askAt(
  { url }: Pick<RunningApp, 'url'>,
  host: string,
  path = '/',
  options: Options = {},
): Promise<HostAnswer> {
  const { port } = new URL(url)
  const { method = 'GET', headers = {}, body } = options
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port, path, method, headers: { ...headers, Host: `${host}:${port}` } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          resolve({ status: response.statusCode!, headers: response.headers, bytes, text: bytes.toString('utf8') })
        })
        response.on('error', reject)
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}
