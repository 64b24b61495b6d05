import { expect } from 'vitest'
import { Visitor } from '../../pages/visitor.ts'
import type { NetworkServer } from '../../support/network-server.ts'
import { type Body, Shop } from '../../support/shop.ts'

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
/** As much of a JPEG as its type is known by. */
export const JPEG = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex')

/** A shop that reaches networks of Meta, which a stand-in plays. */
export class MetaShop extends Shop {
  async reach(network: NetworkServer, settings: Record<string, string>): Promise<void> {
    await network.open()
    await this.open('sqlite', { SIMULATED_PROVIDERS: 'false', OUTSIDE_ALLOW_LOOPBACK: 'true' })
    network.reachedBy(this, settings)
  }

  /** A person who has pressed the button on our page: their browser, and where it goes. */
  async setOut(platform: string): Promise<{ account: Body; visitor: Visitor; address: string }> {
    const account = await this.post('/social_accounts', { platform })
    const visitor = new Visitor(this.running.url)
    const left = await visitor.press(await visitor.open(account.connect_url), 'continue')
    return { account, visitor, address: /^0; url=(.+)$/.exec(left.headers.get('refresh') ?? '')?.[1] ?? '' }
  }

  async upload(name: string, bytes: Uint8Array, more: object = {}): Promise<string> {
    const file = await this.post('/files', { filename: name, ...more })
    await fetch(file.upload_url, { method: 'PUT', body: bytes as BodyInit, headers: file.upload_headers })
    await this.post(`/files/${file.id}/uploaded`)
    return file.id
  }

  /** A film of so many bytes, as far as its type is known by them. */
  film(name: string, size: number): Promise<string> {
    const bytes = new Uint8Array(size).fill(1)
    bytes.set(Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'))
    return this.upload(name, bytes, { content_type: 'video/mp4' })
  }

  /** Publishes a post on one account: its id, and what became of it there. */
  async publishOn(account: Body, more: object): Promise<Body> {
    const { id } = await this.post('/social_posts', { social_accounts: [account.id], publish_now: true, ...more })
    await this.settled()
    return this.targetOf(id)
  }

  async targetOf(post: string): Promise<Body> {
    const { data } = await this.get(`/social_posts/${post}/targets`)
    return { ...data[0], post }
  }

  /** Has a post tried again now, until it is no longer being published. */
  async tryAgain(post: string): Promise<Body> {
    await this.hurry()
    await expect.poll(async () => (await this.targetOf(post)).status, { timeout: 10_000 }).not.toBe('pending')
    return this.targetOf(post)
  }

  /** Lets jobs be tried now that are to be tried later. */
  async hurry(): Promise<void> {
    await this.running.app.database.transaction(({ db }) =>
      db
        .updateTable('jobs')
        .set({ run_at: '2026-01-01T00:00:00.000Z' })
        .where('state', '=', 'waiting')
        .where('lane', '=', 'outside')
        .execute(),
    )
  }

  async sync(account: Body): Promise<Body> {
    await this.post(`/social_accounts/${account.id}/sync`)
    await this.settled()
    return this.get(`/social_accounts/${account.id}`)
  }

  /** The comment with these words. */
  async commentSaying(content: string): Promise<Body> {
    const { data } = await this.get('/social_comments?limit=50')
    return data.find((one: Body) => one.content === content)
  }

  waitingJobs() {
    return this.db.selectFrom('jobs').selectAll().where('state', '=', 'waiting').where('lane', '=', 'outside').execute()
  }

  figuresOf(post: string) {
    return this.db.selectFrom('social_figures').selectAll().where('social_post', '=', post).execute()
  }
}
