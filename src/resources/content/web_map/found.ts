import { isSameSite } from './site.ts'
import { MAX_URL } from './web_map.ts'

/** The URLs that a map has found so far, each once, in order. */
export class FoundUrls {
  readonly #entry: URL
  readonly #limit: number
  readonly #urls = new Set<string>()

  constructor(entry: URL, limit: number) {
    this.#entry = entry
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.#urls.size >= this.#limit
  }

  get urls(): string[] {
    return [...this.#urls]
  }

  /** Takes a URL as a page or a sitemap writes it, when it is of the site. `base` is what it is relative to. */
  add(given: string, base: URL): void {
    if (this.isFull || given.length > MAX_URL || !URL.canParse(given, base.href)) return
    const url = new URL(given, base.href)
    url.hash = ''
    if (isPage(url) && url.href.length <= MAX_URL && isSameSite(url, this.#entry)) this.#urls.add(url.href)
  }
}

function isPage({ protocol, username, password }: URL): boolean {
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
}
