import { describe, expect, it } from 'vitest'
import { rss } from '../../../src/providers/sources/feed/feed.ts'
import type { WebClient } from '../../../src/providers/web/client.ts'

const CONFIG = { url: 'https://blog.example/feed', interval_minutes: 15 }
const MAX_MEMORY = 100_000

/** A feed whose items are those of a list, the newest first, as the web client would fetch it. */
function pollsOf(items: () => string[]) {
  const web: WebClient = {
    checkForm() {},
    async check() {},
    receive: () => Promise.reject(new Error('A feed is fetched as a whole.')),
    async fetch() {
      const text = items().map((id) => `<item><guid>${id}</guid></item>`)
      return { status: 200, headers: {}, body: Buffer.from(`<rss><channel>${text.join('')}</channel></rss>`) }
    },
  }
  return async (memory: string | null) => {
    const polled = await rss.poll({ config: CONFIG, memory, web, signal: new AbortController().signal })
    return { ...polled, ids: polled.events.map(({ data }) => data.id) }
  }
}

const days = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => `day-${to - n}`)

describe('A feed that is polled', () => {
  it('is remembered within bounds, however many items come and go', async () => {
    let today = 400
    const poll = pollsOf(() => days(today - 399, today))
    let { memory } = await poll(null)
    for (let polls = 0; polls < 100; polls++) {
      today += 20
      const { ids, memory: next } = await poll(memory)
      expect(ids).toEqual(days(today - 19, today).toReversed())
      memory = next
    }
    expect(JSON.parse(memory).seen).toHaveLength(1_000)
    expect(memory.length).toBeLessThan(MAX_MEMORY)
  })

  it('takes an item that comes again for the same', async () => {
    let items = ['b', 'a']
    const poll = pollsOf(() => items)
    let { memory } = await poll(null)
    items = ['c', 'c']
    const { ids, memory: next } = await poll(memory)
    expect(ids).toEqual(['c'])
    items = ['a', 'c', 'b']
    ;({ memory } = await poll(next))
    expect((await poll(next)).ids).toEqual([])
    expect(JSON.parse(memory).seen).toHaveLength(3)
  })
})
