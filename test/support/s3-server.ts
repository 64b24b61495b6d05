import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPresigned } from './s3-signature.ts'

const S3_KEYS = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'the-secret-of-the-store' }
const BUCKET = 'shop-files'

/** An object store with the used part of the S3 protocol, which verifies every signature. */
export interface S3Server {
  url: string
  /** The stored objects by key. */
  objects: Map<string, Buffer>
  /** The only origin whose scripts may upload; null means that no other origin may. */
  cors: { origin: string; headers: string[] } | null
  /** The settings of a service that uses this store. */
  settings: Record<string, string>
  close(): Promise<void>
}

export async function startS3(): Promise<S3Server> {
  const objects = new Map<string, Buffer>()
  const server = createServer(async (request, response) => {
    const bytes = await bytesOf(request)
    const url = new URL(request.url!, `http://${request.headers.host}`)
    for (const [name, value] of Object.entries(shared(request, store.cors))) response.setHeader(name, value)
    if (request.method === 'OPTIONS')
      return response.writeHead(response.hasHeader('access-control-allow-origin') ? 200 : 403).end()
    if (!isSigned(request, url)) return response.writeHead(403).end('<Code>SignatureDoesNotMatch</Code>')
    const key = decodeURIComponent(url.pathname).slice(`/${BUCKET}/`.length)
    const [status, headers, body] = answer(objects, { request, url, key, bytes })
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY } = S3_KEYS
  const store: S3Server = {
    url,
    objects,
    cors: null,
    settings: { S3_ENDPOINT: url, S3_BUCKET: BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return store
}

/** Returns the CORS headers of a bucket with one rule; none if the rule does not match, like Amazon S3. */
function shared({ method, headers }: IncomingMessage, cors: S3Server['cors']): Record<string, string> {
  const wanted = method === 'OPTIONS' ? headers['access-control-request-method'] : method
  const asked = (headers['access-control-request-headers'] ?? '').split(',').flatMap((name) => name.trim() || [])
  const fits =
    cors?.origin === headers.origin && wanted === 'PUT' && asked.every((name) => cors?.headers.includes(name))
  if (!fits || !cors) return {}
  return {
    'access-control-allow-origin': cors.origin,
    'access-control-allow-methods': 'PUT',
    ...(asked.length > 0 && { 'access-control-allow-headers': asked.join(', ') }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  }
}

interface Asked {
  request: IncomingMessage
  url: URL
  key: string
  bytes: Buffer
}

type Answer = [status: number, headers: Record<string, string>, body?: Uint8Array | string]

function answer(objects: Map<string, Buffer>, { request, url, key, bytes }: Asked): Answer {
  const found = objects.get(key)
  switch (request.method) {
    case 'PUT':
      if (request.headers['if-none-match'] === '*' && found) return [412, {}]
      objects.set(key, bytes)
      return [200, {}]
    case 'DELETE':
      objects.delete(key)
      return [204, {}]
    default:
      if (url.searchParams.has('list-type')) return [200, {}, listing(objects, url.searchParams.get('prefix')!)]
      if (!found) return [404, {}, '<Code>NoSuchKey</Code>']
      return part(found, request.headers.range)
  }
}

function listing(objects: Map<string, Buffer>, prefix: string): string {
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix))
  return `<ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`
}

function part(bytes: Buffer, range: string | undefined): Answer {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (start === undefined) return [200, { 'content-length': String(bytes.length) }, bytes]
  return [206, {}, bytes.subarray(Number(start), Number(end) + 1)]
}

const SIGNER = { ...S3_KEYS, region: 'us-east-1', service: 's3' }

function isSigned({ method, headers }: IncomingMessage, url: URL): boolean {
  const values = Object.entries(headers).map(([name, value]) => [name, String(value)])
  return isPresigned({ method: method!, url, headers: Object.fromEntries(values) }, SIGNER)
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
