import { createHash } from 'node:crypto'

const ID = /\b([a-z][a-z0-9_]*?)_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g
/** Matches tokens, digests and UUIDs. */
const SECRET = /(?<![\w-])(?=[\w-]*[A-Z\d][\w-]*[a-z]|[\w-]*[a-z][\w-]*[A-Z\d])(?=[\w-]*\d)[\w-]{20,}(?![\w-])/g

/** Makes the texts of a service the same in every run: ids become `ord_1`, and tokens and digests are masked. */
export class StableText {
  readonly #url: string
  readonly #ids = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(url: string) {
    this.#url = url
  }

  of(text: string): string {
    return text
      .replaceAll(this.#url, 'https://shop.test')
      .replaceAll(encodeURIComponent(this.#url), 'https%3A%2F%2Fshop.test')
      .replaceAll(/\b(?:127\.0\.0\.1|localhost)(:|%3A)\d+/g, 'outside.test')
      .replaceAll(ID, (id, prefix: string) => this.#alias(id, prefix))
      .replaceAll(/\b([a-z]+_…)[0-9a-hjkmnp-tv-z]{8}\b/g, '$1')
      .replaceAll(/(?<="duration_ms": )\d+/g, '…')
      .replaceAll(/"00-\d{7}"/g, '"00-…"')
      .replaceAll(/\bwhsec_[\w+/]+=*/g, 'whsec_…')
      .replaceAll(SECRET, '…')
  }

  json(value: unknown): string {
    return this.of(JSON.stringify(value, null, 1))
  }

  #alias(id: string, prefix: string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const count = (this.#counts.get(prefix) ?? 0) + 1
    this.#counts.set(prefix, count)
    this.#ids.set(id, `${prefix}_${count}`)
    return `${prefix}_${count}`
  }
}

/** Returns a digest that replaces a long text. */
export function digest(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
