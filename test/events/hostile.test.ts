import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { times } from '../support/depth.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { onGateEngine } from '../support/shop.ts'
import { endpointsOf, enqueue } from '../support/webhooks.ts'

const QUEUED = times({ gate: 2_000, deep: 10_000 })
const EVENTS = 100
/** The bound that deliveries of a healthy endpoint are held to. */
const MOST_P99_MS = 1_000

type Answer = Parameters<Receiver['answers']['set']>[1]

const HOSTILE: Record<string, Answer> = {
  hangs: () => {},
  drips: async (response) => {
    response.writeHead(200)
    while (!response.destroyed) {
      response.write('.')
      await delay(50)
    }
  },
  resets: (response) => response.socket!.resetAndDestroy(),
  redirects: (response, { path }) => response.writeHead(302, { location: path }).end(),
  'answers 50 MB': async (response) => {
    const megabyte = Buffer.alloc(1_000_000, 'x')
    for (let count = 0; count < 50 && !response.destroyed; count++)
      if (!response.write(megabyte)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    response.end()
  },
  'has endless headers': (response) => response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(),
}

describe('A healthy endpoint', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())

  onGateEngine((shop) => {
    const { endpoint } = endpointsOf(shop, () => receiver)

    it('hears within a second, while 10,000 deliveries wait for a dead one and others do their worst', async () => {
      const dead = await endpoint({ enabled_events: ['tag.created'] })
      receiver.answers.set(dead.path, HOSTILE.hangs!)
      for (const answer of Object.values(HOSTILE)) {
        const { path } = await endpoint()
        receiver.answers.set(path, answer)
      }
      const healthy = await endpoint({ enabled_events: ['product.created'] })
      await enqueue(shop, dead.id, QUEUED)
      await shop.tag()
      await receiver.until(1, dead.path)

      const took: number[] = []
      for (let count = 1; count <= EVENTS; count++) {
        const began = performance.now()
        await shop.product()
        const sent = await receiver.until(count, healthy.path)
        took.push(sent.at(-1)!.at - began)
      }
      took.sort((one, other) => one - other)
      expect(took[Math.ceil(0.99 * EVENTS) - 1]).toBeLessThan(MOST_P99_MS)
      const waiting = shop.db.selectFrom('webhook_events').select(({ fn }) => fn.countAll().as('count'))
      const { count } = await waiting
        .where('webhook_endpoint', '=', dead.id)
        .where('status', '=', 'pending')
        .executeTakeFirstOrThrow()
      expect(Number(count)).toBeGreaterThanOrEqual(QUEUED)
    }, 120_000)
  })
})
