import type { BurningShop } from './shop.ts'

let next = 0

/** Uploads of files, of which those that were answered as ready must be there. */
export class Uploads {
  readonly #shop: BurningShop
  readonly #ready = new Map<string, number>()

  constructor(shop: BurningShop) {
    this.#shop = shop
  }

  async run(): Promise<void> {
    const bytes = `file ${next++} ${'x'.repeat(Math.floor(Math.random() * 20_000))}`
    const made = await this.#shop.api('POST', '/files', { filename: `file-${next}.txt` })
    if (made.status !== 201) throw new Error(made.text)
    const { id, upload_url, upload_headers } = made.body
    const put = await fetch(upload_url, { method: 'PUT', body: bytes, headers: upload_headers ?? {} })
    if (!put.ok) throw new Error(await put.text())
    const uploaded = await this.#shop.api('POST', `/files/${id}/uploaded`)
    if (uploaded.status === 200 && uploaded.body.upload_status === 'ready') this.#ready.set(id, bytes.length)
  }

  async problems(): Promise<string[]> {
    const problems: string[] = []
    for (const [id, size] of this.#ready) {
      const { status, body } = await this.#shop.api('GET', `/files/${id}`)
      if (status !== 200 || body.upload_status !== 'ready' || body.size !== size)
        problems.push(`${id} of ${size} bytes is ${status} ${body.upload_status} ${body.size}`)
    }
    return problems
  }

  get counts(): Record<string, number> {
    return { uploads: this.#ready.size }
  }
}
