/** One page as a browser without scripts has it. */
export interface Seen {
  status: number
  headers: Headers
  html: string
  /** What it says, without markup. */
  text: string
  /** Where the form is posted to. */
  action: string | null
  /** The fields of the form with their values. */
  fields: Record<string, string>
  /** What its buttons send. */
  buttons: string[]
}

export interface FormOptions {
  headers?: Record<string, string>
  /** Fields that are left out. */
  without?: string[]
}

/** Somebody with a browser: follows redirects within the service, and keeps cookies. */
export class Visitor {
  readonly #origin: string
  readonly cookies = new Map<string, { value: string; path: string; attributes: string }>()

  constructor(origin: string) {
    this.#origin = origin
  }

  async open(address: string, init: RequestInit = {}): Promise<Seen> {
    const url = new URL(address, this.#origin)
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...this.#cookiesFor(url.pathname), ...init.headers },
    })
    this.#keep(response)
    return seenOf(response, await response.text())
  }

  /** As `open`, and goes on to where the answer leads. */
  async follow(address: string, init: RequestInit = {}): Promise<Seen> {
    const seen = await this.open(address, init)
    const next = seen.headers.get('location')
    return seen.status === 303 && next !== null ? this.follow(next) : seen
  }

  /** Sends the form of a page by one of its buttons, and gives the answer to it. */
  post(page: Seen, button: string, entered: Record<string, string> = {}, options: FormOptions = {}): Promise<Seen> {
    const fields = new URLSearchParams({ ...page.fields, ...entered, do: button })
    for (const name of options.without ?? []) fields.delete(name)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', ...options.headers }
    return this.open(page.action!, { method: 'POST', body: fields.toString(), headers })
  }

  /** As `post`, and goes on to where the answer leads. */
  async press(page: Seen, button: string, entered: Record<string, string> = {}): Promise<Seen> {
    const seen = await this.post(page, button, entered)
    const next = seen.headers.get('location')
    return seen.status === 303 && next !== null ? this.follow(next) : seen
  }

  #cookiesFor(path: string): Record<string, string> {
    const sent = [...this.cookies].filter(([, cookie]) => path.startsWith(cookie.path))
    return sent.length === 0
      ? {}
      : { Cookie: sent.map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ') }
  }

  #keep({ headers }: Response): void {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = '', attributes = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(cookie) ?? []
      const path = /Path=([^;]+)/i.exec(attributes)?.[1] ?? '/'
      this.cookies.set(`${name} ${path}`, { value, path, attributes })
    }
  }
}

function seenOf({ status, headers }: Response, html: string): Seen {
  const form = /<form[^>]*action="([^"]*)"[\s\S]*?<\/form>/.exec(html)
  const inputs = [...(form?.[0] ?? '').matchAll(/<input\b[^>]*>/g)].map(([input]) => input)
  const fields = inputs.map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''])
  return {
    status,
    headers,
    html,
    text: textOf(html),
    action: form ? plain(form[1]!) : null,
    fields: Object.fromEntries(fields),
    buttons: [...html.matchAll(/<button\b[^>]*\bvalue="([^"]*)"/g)].map(([, value]) => value!),
  }
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)
  return found ? plain(found[1]!) : null
}

function textOf(html: string): string {
  const body = html.replace(/<head>[\s\S]*<\/head>/, '').replaceAll(/<[^>]+>/g, ' ')
  return plain(body).replaceAll(/\s+/g, ' ').trim()
}

function plain(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => names[name]!)
}
