import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comeNow, Feed, nextJob, rowOf, startTask } from '../support/feed.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { type Site, startSite } from '../support/site.ts'

const MINUTE_MS = 60_000
const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `item-${from + n}`)

describe('The poll of a feed', () => {
  let site: Site
  let paths = 0
  beforeAll(async () => {
    site = await startSite()
  })
  afterAll(() => site.close())

  onGateEngine(
    (shop) => {
      const feed = (headers: Record<string, string> = {}) => new Feed(site, `/feed-${++paths}`, headers)
      const connect = (url: string, more: object = {}): Promise<Body> =>
        shop.post('/event_sources', { provider: 'rss', event_type: 'new_item', config: { url, ...more } })
      const get = (id: string): Promise<Body> => shop.get(`/event_sources/${id}`)
      /** How long after its creation the next poll is due. */
      const pauseMs = async (id: string) => {
        const { run_at, created_at } = await nextJob(shop, id)
        return Date.parse(run_at) - Date.parse(created_at)
      }

      it('only remembers at first, and then starts one run for each new item, the oldest first', async () => {
        const news = feed()
        news.publish('first')
        const source = await connect(news.url)
        expect(source).toMatchObject({ status: 'active', last_event_at: null, config: { interval_minutes: 15 } })
        expect(news.asked).toHaveLength(1)
        const task = await startTask(shop, source.id)
        news.publish('second', 'third')
        await comeNow(shop, source.id)
        expect((await task.heard()).map(({ title }) => title)).toEqual(['second', 'third'])
        expect((await get(source.id)).last_event_at).not.toBeNull()
        await comeNow(shop, source.id)
        expect(await task.heard()).toHaveLength(2)
        expect(await pauseMs(source.id)).toBe(15 * MINUTE_MS)
      })

      it('tells of an item what its feed says', async () => {
        const path = `/feed-${++paths}`
        const answer = (items: string) =>
          site.answers.set(path, (_request, response) => response.end(`<rss><channel>${items}</channel></rss>`))
        answer('')
        const { id } = await connect(site.url + path)
        const task = await startTask(shop, id)
        answer(`<item><guid>1</guid><title>One</title><link>/one</link><description>Words</description>
          <pubDate>Sat, 07 Nov 2026 10:00:00 +0100</pubDate></item>
          <item><link>javascript:alert(1)</link><pubDate>never</pubDate></item>`)
        await comeNow(shop, id)
        const from = { title: null, url: site.url + path }
        expect(await task.heard()).toEqual([
          { id: null, title: null, url: null, summary: null, published_at: null, feed: from },
          {
            ...{ id: '1', title: 'One', url: `${site.url}/one`, summary: 'Words', feed: from },
            published_at: '2026-11-07T09:00:00Z',
          },
        ])
      })

      it('asks only for what has changed', async () => {
        const news = feed({ etag: '"0"', 'last-modified': 'Sat, 07 Nov 2026 09:00:00 GMT' })
        const { id } = await connect(news.url)
        const task = await startTask(shop, id)
        await comeNow(shop, id)
        expect(news.asked[0]).not.toHaveProperty('if-none-match')
        expect(news.asked[1]).toMatchObject({
          ...{ 'if-none-match': '"0"', 'if-modified-since': 'Sat, 07 Nov 2026 09:00:00 GMT' },
        })
        expect(await get(id)).toMatchObject({ status: 'active', last_event_at: null })
        news.publish('later')
        await comeNow(shop, id)
        expect((await task.heard()).map(({ title }) => title)).toEqual(['later'])
      })

      it('starts twenty runs at most, and the others with the next poll', async () => {
        const news = feed({ etag: '"0"' })
        const { id } = await connect(news.url)
        const task = await startTask(shop, id)
        news.publish(...numbered(1, 50))
        await comeNow(shop, id)
        expect((await task.heard()).map(({ title }) => title)).toEqual(numbered(1, 20))
        await comeNow(shop, id)
        await comeNow(shop, id)
        expect((await task.heard()).map(({ title }) => title)).toEqual(numbered(1, 50))
        await comeNow(shop, id)
        expect(news.asked.at(-1)).toHaveProperty('if-none-match', '"50"')
        expect(await task.heard()).toHaveLength(50)
      })

      it('says why it failed, pauses longer and longer, and recovers by itself', async () => {
        const news = feed()
        const { id } = await connect(news.url, { interval_minutes: 600 })
        const task = await startTask(shop, id)
        const answer = site.answers.get(new URL(news.url).pathname)!
        const failing = (_request: unknown, response: ServerResponse) => response.writeHead(503).end()
        site.answers.set(new URL(news.url).pathname, failing)
        for (const minutes of [600, 1_200, 1_440, 1_440]) {
          await comeNow(shop, id)
          expect(await get(id)).toMatchObject({ status: 'error', error_message: 'The address answered 503.' })
          expect(await pauseMs(id)).toBe(minutes * MINUTE_MS)
        }
        site.answers.set(new URL(news.url).pathname, answer)
        news.publish('meanwhile')
        await comeNow(shop, id)
        expect(await get(id)).toMatchObject({ status: 'active', error_message: null })
        expect(await pauseMs(id)).toBe(600 * MINUTE_MS)
        expect((await task.heard()).map(({ title }) => title)).toEqual(['meanwhile'])
      })

      it('withstands whatever is at the address', async () => {
        const hostile: Record<string, [RegExp, (response: ServerResponse) => unknown]> = {
          missing: [/answered 404/, (response) => response.writeHead(404).end()],
          unchanged: [/answered 304/, (response) => response.writeHead(304).end()],
          page: [/neither an RSS nor an Atom feed/, (response) => response.end('<!doctype html><p>Hello')],
          packed: [/encoded with br/, (response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x')],
          inside: [/must be a public address/, (response) => redirect(response, 'http://169.254.169.254/feed')],
          file: [/must be a URL/, (response) => redirect(response, 'file:///etc/passwd')],
          nowhere: [/without saying where/, (response) => response.writeHead(301).end()],
          broken: [
            /closed before the response was complete/,
            (response) => {
              response.writeHead(200, { 'content-length': '100' }).write('<rss>')
              setTimeout(() => response.destroy(), 20)
            },
          ],
          endless: [
            /larger than 2 MB/,
            (response) => {
              const more = () => {
                while (!response.destroyed && response.write('<rss><channel>'.repeat(10_000)));
              }
              response.on('drain', more)
              more()
            },
          ],
        }
        for (const [name, [reason, answer]] of Object.entries(hostile)) {
          site.answers.set(`/${name}`, (_request, response) => answer(response))
          const { status, error_message } = await connect(`${site.url}/${name}`)
          expect([name, status, error_message]).toEqual([name, 'error', expect.stringMatching(reason)])
        }
        site.answers.set('/circle', (_request, response) => redirect(response, '/circle'))
        expect((await connect(`${site.url}/circle`)).error_message).toMatch(/more than 5 times/)
      })

      it('starts nothing for a source that is deleted meanwhile', async () => {
        const news = feed()
        const { id } = await connect(news.url)
        const answer = site.answers.get(new URL(news.url).pathname)!
        const asked = Promise.withResolvers<void>()
        const release = Promise.withResolvers<void>()
        site.answers.set(new URL(news.url).pathname, async (request, response) => {
          asked.resolve()
          await release.promise
          answer(request, response)
        })
        await shop.set('jobs', (await rowOf(shop, id)).job!, { state: 'due' })
        await asked.promise
        await shop.delete(`/event_sources/${id}`)
        release.resolve()
        await shop.settled()
        const jobs = shop.db.selectFrom('jobs').select(['state']).where('payload', 'like', `%${id}%`)
        expect((await jobs.execute()).filter(({ state }) => state !== 'done')).toEqual([])
        const memories = shop.db.selectFrom('event_source_memories').selectAll().where('event_source', '=', id)
        expect(await memories.execute()).toEqual([])
      })

      it('follows the clock of a test account, once however far that is moved', async () => {
        const rehearsal = await shop.running.another('rehearsal', { test: true })
        const there = shop.as(rehearsal)
        const news = feed()
        const config = { url: news.url, interval_minutes: 5 }
        const { id } = await there.post('/event_sources', { provider: 'rss', event_type: 'new_item', config })
        news.publish('new')
        await shop.running.app.advanceClock(rehearsal.accountId, '2030-01-01T00:00:00Z')
        expect(news.asked).toHaveLength(2)
        const first = (await there.get(`/event_sources/${id}`)).last_event_at
        expect(first < '2030').toBe(true)
        const { state, run_at } = await nextJob(shop, id)
        expect([state, run_at]).toEqual(['waiting_for_clock', '2030-01-01T00:05:00Z'])
        news.publish('newer')
        await shop.running.app.advanceClock(rehearsal.accountId, '2031-01-01T00:00:00Z')
        expect(news.asked).toHaveLength(3)
        expect((await there.get(`/event_sources/${id}`)).last_event_at).toBe('2030-01-01T00:05:00Z')
      })
    },
    { OUTSIDE_ALLOW_LOOPBACK: 'true' },
  )
})

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(302, { location }).end()
}
