import type { IncomingMessage } from 'node:http'
import type { Body, Shop } from './shop.ts'
import type { Site } from './site.ts'

/** A feed of a site, whose items can be changed. The newest item comes first. */
export class Feed {
  readonly url: string
  readonly asked: IncomingMessage['headers'][] = []
  items: string[] = []
  readonly #headers: Record<string, string>

  constructor(site: Site, path: string, headers: Record<string, string> = {}) {
    this.url = site.url + path
    this.#headers = headers
    site.answers.set(path, (request, response) => {
      this.asked.push(request.headers)
      const unchanged = request.headers['if-none-match'] === this.#headers.etag && this.#headers.etag !== undefined
      if (unchanged) response.writeHead(304).end()
      else response.writeHead(200, { 'content-type': 'application/rss+xml', ...this.#headers }).end(this.#text())
    })
  }

  /** Adds new items before the others, the last one first. */
  publish(...titles: string[]): void {
    this.items.unshift(...titles.toReversed())
    if (this.#headers.etag !== undefined) this.#headers.etag = `"${this.items.length}"`
  }

  #text(): string {
    const items = this.items.map(
      (title) => `<item><guid>urn:${title}</guid><title>${title}</title><link>/${title}</link></item>`,
    )
    return `<rss version="2.0"><channel><title>News</title>${items.join('')}</channel></rss>`
  }
}

/** Returns the row of an event source, including fields that no response contains. */
export function rowOf(shop: Shop, id: string) {
  return shop.db.selectFrom('event_sources').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** The job of a source's next poll or time. */
export async function nextJob(shop: Shop, id: string) {
  const { job } = await rowOf(shop, id)
  return shop.db.selectFrom('jobs').selectAll().where('id', '=', job!).executeTakeFirstOrThrow()
}

/** Makes the next poll or scheduled time of a source due now. */
export async function comeNow(shop: Shop, id: string): Promise<void> {
  await shop.set('jobs', (await rowOf(shop, id)).job!, { state: 'due' })
  await shop.settled()
}

/** A task that is started by a source, and the data of the events of its runs, the oldest first. */
export async function startTask(shop: Shop, source: string): Promise<{ id: string; heard(): Promise<Body[]> }> {
  const trigger = { trigger_type: 'event', event_source: source }
  const { id } = await shop.post('/tasks', { name: 'Listen', prompt: 'Look at it.', ...trigger })
  const heard = async () => {
    const { data } = await shop.get(`/task_runs?ai_task_id=${id}&limit=100`)
    return data.map((run: Body) => run.event.data).toReversed()
  }
  return { id, heard }
}
