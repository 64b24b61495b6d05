import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Receiver, startReceiver, verify } from '../support/receiver.ts'
import { onEachEngine } from '../support/shop.ts'

describe('A delivery', () => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  let made = 0

  onEachEngine((shop) => {
    /** An endpoint with a path of its own. */
    const endpoint = async (values: object = {}) => {
      const path = `/${++made}`
      const created = await shop.post('/webhook_endpoints', {
        url: receiver.url + path,
        enabled_events: ['*'],
        ...values,
      })
      return { path, ...created } as { path: string; id: string; secret: string }
    }

    it('is signed in both ways, over the exact bytes, and says what happened', async () => {
      const { path, secret, id } = await endpoint({ enabled_events: ['product.created'] })
      const product = await shop.product({ name: 'Ünïcode ☕' })
      const [first] = await receiver.until(1, path)
      expect(() => verify(secret, first!)).not.toThrow()
      expect(first!.headers['x-webhook-hmac-sha256']).toBe(
        createHmac('sha256', secret).update(first!.raw).digest('base64'),
      )
      expect(first!.body).toMatchObject({ type: 'product.created', data: product })
      await shop.delete(`/webhook_endpoints/${id}`)
    })
  })
})
