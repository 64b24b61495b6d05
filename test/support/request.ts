export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked at freely in tests
  body: any
  headers: Headers
  text: string
}

export interface RequestOptions {
  token?: string | null
  headers?: Record<string, string>
  /** A raw body. */
  raw?: string | Uint8Array
}

/** Sends one REST request. The path omits `/v1`. */
export async function request(
  url: string,
  ownToken: string | null,
  method: string,
  path: string,
  body?: unknown,
  { token = ownToken, headers = {}, raw }: RequestOptions = {},
): Promise<Answer> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(payload !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(payload !== undefined && { body: payload as BodyInit }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text === '' ? null : JSON.parse(text) }
}
