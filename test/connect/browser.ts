/** A form of a page: where it goes, its hidden fields, and what can be chosen. */
export interface Form {
  action: string
  hidden: Record<string, string>
  /** The values of each group of choices, and the one that is chosen. */
  choices: Record<string, { values: string[]; chosen: string | null }>
}

/** What a page answered. */
export interface Seen {
  status: number
  headers: Headers
  location: string | null
  html: string
}

/** A browser without scripts: it keeps cookies, follows nothing by itself, and sends the forms that it finds. */
export class PlainBrowser {
  readonly #cookie: string | null

  constructor(cookie: string | null) {
    this.#cookie = cookie
  }

  open(url: string | URL, headers: Record<string, string> = {}): Promise<Seen> {
    return this.#ask(url, { headers })
  }

  /** Sends a form of a page, as a button of it does. */
  send(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Seen> {
    const own = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const body = new URLSearchParams(fields).toString()
    return this.#ask(url, { method: 'POST', headers: { ...own, ...headers }, body })
  }

  async #ask(
    url: string | URL,
    { headers, ...init }: { method?: string; headers: Record<string, string>; body?: string },
  ): Promise<Seen> {
    const cookie: Record<string, string> = this.#cookie === null ? {} : { cookie: this.#cookie }
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...cookie, ...headers } })
    const { status } = response
    return {
      status,
      headers: response.headers,
      location: response.headers.get('location'),
      html: await response.text(),
    }
  }
}

/** The one form of a page. */
export function formOf({ html }: Pick<Seen, 'html'>): Form {
  const action = /<form method="post" action="([^"]*)"/.exec(html)![1]!
  const form: Form = { action, hidden: {}, choices: {} }
  for (const [tag] of html.matchAll(/<input [^>]*>/g)) {
    const [name, value] = [attribute(tag, 'name')!, attribute(tag, 'value')!]
    if (attribute(tag, 'type') === 'hidden') form.hidden[name] = value
    else {
      form.choices[name] ??= { values: [], chosen: null }
      form.choices[name].values.push(value)
      if (/ checked/.test(tag)) form.choices[name].chosen = value
    }
  }
  return form
}

function attribute(tag: string, name: string): string | null {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  if (value === undefined) return null
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
