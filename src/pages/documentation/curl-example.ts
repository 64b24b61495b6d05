import type { ExampleRequest } from './example-request.ts'

/** Bodies up to this length are shown on one line. */
const LINE = 60

/** The request as a command of curl 7.82 or newer, whose `--json` also names the type of the body. */
export function curlExample({ method, path, query, body }: ExampleRequest, publicUrl: string): string {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const address = `${publicUrl}/v1${path}${search && `?${search}`}`
  const isImplied = method === 'GET' || (method === 'POST' && body !== null)
  const lines = [
    `curl ${isImplied ? '' : `-X ${method} `}${quoted(address)}`,
    '-H "Authorization: Bearer $SHOPWRIGHT_TOKEN"',
    ...(body ? [`--json '${jsonText(body).replaceAll("'", "'\\''")}'`] : []),
  ]
  return lines.join(' \\\n  ')
}

function quoted(address: string): string {
  return /[?&]/.test(address) ? `"${address}"` : address
}

function jsonText(body: object): string {
  const short = JSON.stringify(body)
  return short.length <= LINE ? short : JSON.stringify(body, null, 2)
}
