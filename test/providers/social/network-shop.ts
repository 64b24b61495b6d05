import { expect } from 'vitest'
import { Visitor } from '../../pages/visitor.ts'
import { film } from '../../support/film.ts'
import type { NetworkServer } from '../../support/network-server.ts'
import { type Body, Shop } from '../../support/shop.ts'

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** A shop whose networks are stand-ins, as suites of networks with a page of their own use it. */
export class NetworkShop extends Shop {
  account: Body
  readonly #films = new Map<string, Promise<string>>()

  async openFor(server: NetworkServer, settings: Record<string, string>): Promise<void> {
    await server.open()
    await this.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
    server.reachedBy(this, settings)
  }

  /** A person at a connect_url, in a browser, who is on the way to the network. */
  async setOut(connectUrl: string): Promise<{ visitor: Visitor; address: string }> {
    const visitor = new Visitor(this.running.url)
    const left = await visitor.press(await visitor.open(connectUrl), 'continue')
    return { visitor, address: /^0; url=(.+)$/.exec(left.headers.get('refresh') ?? '')?.[1] ?? '' }
  }

  /** Connects the account that the suite posts with. */
  async connect(platform: string, allow: (address: string) => string): Promise<Body> {
    const { id, connect_url } = await this.post('/social_accounts', { platform })
    const { visitor, address } = await this.setOut(connect_url)
    await visitor.follow(allow(address))
    this.account = await this.get(`/social_accounts/${id}`)
    return this.account
  }

  async uploaded(filename: string, bytes: Uint8Array, more: object = {}): Promise<string> {
    const file = await this.post('/files', { filename, ...more })
    await fetch(file.upload_url, { method: 'PUT', body: bytes as BodyInit, headers: file.upload_headers })
    await this.post(`/files/${file.id}/uploaded`)
    return file.id
  }

  /** A film of so many seconds that has so many bytes; the same one each time. */
  film(seconds: number, size: number): Promise<string> {
    const name = `${seconds} ${size}`
    const known = this.#films.get(name) ?? this.#newFilm(seconds, size)
    this.#films.set(name, known)
    return known
  }

  async #newFilm(seconds: number, size: number): Promise<string> {
    const picture = Buffer.from(await film('mp4', seconds))
    const rest = Buffer.alloc(Math.max(8, size - picture.length), 7)
    rest.writeUInt32BE(rest.length)
    rest.write('free', 4, 'latin1')
    return this.uploaded('bird.mp4', Buffer.concat([picture, rest]), { content_type: 'video/mp4' })
  }

  /** A post on the account, as it is when no job is due any more. */
  async publish(more: object): Promise<Body> {
    const { id } = await this.post('/social_posts', {
      social_accounts: [this.account.id],
      publish_now: true,
      ...more,
    })
    await this.settled()
    return { ...(await this.targetOf(id)), id }
  }

  async targetOf(post: string): Promise<Body> {
    return (await this.get(`/social_posts/${post}/targets`)).data[0]
  }

  async retry(post: string): Promise<Body> {
    await this.post(`/social_posts/${post}/retry`)
    await this.settled()
    return this.targetOf(post)
  }

  /** Lets jobs that are put off run now. */
  async runWaiting(column: 'lane' | 'name', value: string): Promise<void> {
    await this.running.app.database.transaction(({ db }) =>
      db
        .updateTable('jobs')
        .set({ run_at: '2026-01-01T00:00:00.000Z' })
        .where('state', '=', 'waiting')
        .where(column, '=', value)
        .execute(),
    )
  }

  /** Lets what is put off be tried now, and waits until the post has another state than `pending`. */
  async hurry(post: string): Promise<Body> {
    await this.runWaiting('lane', 'outside')
    const status = async () => (await this.targetOf(post)).status
    await expect.poll(status, { timeout: 15_000 }).not.toBe('pending')
    await this.settled()
    return this.targetOf(post)
  }

  waiting() {
    return this.db
      .selectFrom('jobs')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('name', '=', 'social_post.publish_on_account')
      .execute()
  }

  progress(post: string) {
    return this.db.selectFrom('social_deliveries').select('progress').where('social_post', '=', post).executeTakeFirst()
  }

  /** Access is to be renewed with its next use. */
  renewNext(): Promise<void> {
    return this.set('social_accounts', this.account.id, { renew_at: '2026-01-01T00:00:00.000Z' })
  }

  figuresOf(post: string) {
    return this.db.selectFrom('social_figures').selectAll().where('social_post', '=', post).execute()
  }

  async sync(): Promise<void> {
    await this.post(`/social_accounts/${this.account.id}/sync`)
    await this.settled()
  }

  async errorsFor(more: object): Promise<string[]> {
    const check = await this.post('/social_posts/validate', { social_accounts: [this.account.id], ...more })
    return check.results[0].errors
  }
}
