import type { Answer } from '../support/app.ts'
import type { Shop } from '../support/shop.ts'

/** One request as it goes over the wire. */
export interface GeneratedRequest {
  method: string
  /** With its query, below the version prefix. */
  path: string
  headers?: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}

/** Hands a request to the app without a network between. The path of the answer is the one that the app was asked for. */
export async function send(shop: Shop, token: string, { method, path, headers, body }: GeneratedRequest) {
  const request = new Request(`${shop.running.url}/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const response = await shop.running.app.fetch(request)
  const text = await response.text()
  const answer: Answer = { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  // A slash at the end says nothing: /products/ is the list.
  const asked = new URL(request.url).pathname.replace(/^\/v1/, '').replace(/(?<=.)\/$/, '')
  return { asked, answer }
}
