import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentRuns } from '../../dashboard/operations/visitor.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { priceForSale, sell } from '../../support/sell.ts'
import { type Body, onEachEngine } from '../../support/shop.ts'
import { connected } from '../../support/social.ts'
import { endpointsOf, settled } from '../../support/webhooks.ts'

describe('What a batch does outside the database', () => {
  onEachEngine((shop) => {
    let receiver: Receiver
    const { endpoint } = endpointsOf(shop, () => receiver)
    beforeAll(async () => {
      receiver = await startReceiver()
    })
    afterAll(() => receiver.close())

    const runs = (code: string): Promise<Body> => agentRuns(shop, shop.running.token, code)
    const over = (list: string, block: string) =>
      `# background: true\neach_batch(list(${list}), of: 2) { |rows| ${block} }`
    const until = async (id: string, ...states: string[]): Promise<Body> => {
      for (let tries = 0; tries < 400; tries++) {
        const { result } = await runs(`# status: ${id}`)
        if (states.includes(result.state)) return result
        await delay(50)
      }
      throw new Error(`${id} came to none of ${states}`)
    }

    it('is refused where it cannot be undone, and says where it belongs', async () => {
      await shop.tag()
      const { id, path } = await endpoint()
      const outside = shop.operations.filter((operation) => operation.outside)
      expect(outside.length).toBeGreaterThan(2)
      const calls = outside.map(({ method, path }) => `${method.toLowerCase()}("${path.replace(/\{\w+\}/, id)}")`)
      const block = `[${calls.join(', ')}].map { |answer| answer["error"]["message"] }.uniq`
      const { result } = await runs(over('"/tags"', block))
      expect(result.last_value).toEqual([
        'This operation has external effects, and a batch can be undone and repeated. Call it in a program without `# background: true`.',
      ])
      expect(receiver.at(path)).toEqual([])
    })

    it('happens once for each row where its batch was undone and done again', async () => {
      const { id: price } = await priceForSale(shop)
      const orders: Body[] = []
      for (let made = 0; made < 4; made++) orders.push(await sell(shop, [{ price_variant: price, quantity: 1 }]))
      const account = await connected(shop)
      await settled(shop)
      await shop.settled()
      const { path } = await endpoint({ enabled_events: ['tag.created'] })
      const letters = async () => (await readdir(join(shop.running.dataDirectory, 'outbox')).catch(() => [])).length
      const publications = async () =>
        (await shop.db.selectFrom('social_deliveries').select('id').where('status', '=', 'published').execute()).length
      const refunds = async () => (await shop.listed('/refunds')).length
      const counted = async () => ({
        letters: await letters(),
        sent: receiver.at(path).length,
        publications: await publications(),
        refunds: await refunds(),
      })
      const before = await counted()
      const happened = async () => {
        const now = await counted()
        return Object.keys(now).map((what) => now[what as keyof typeof now] - before[what as keyof typeof now])
      }
      // The buyer is written to about the refund, too.
      const each = (count: number) => [2 * count, count, count, count]
      const block = `rows.each do |row|
  post("/refunds", order: row["id"], amount: 100)
  post("/emails", customer: row["customer"], subject: row["id"], text: "Refunded")
  post("/tags", name: "refunded #{row["id"]}")
  draft = post("/social_posts", content: "Refunded #{row["id"]}", social_accounts: ["${account.id}"])
  post("/social_posts/#{draft["id"]}/publish")
end
raise "not yet" if rows.any? { |row| get("/customers/#{row["customer"]}")["name"] == "Wait" }`
      // The newest come first, so it is in the second batch.
      await shop.patch(`/customers/${orders[0].customer.id}`, { name: 'Wait' })
      const { result } = await runs(over('"/orders"', block))
      for (let tries = 0; tries < 2; tries++) {
        const { state, done } = await until(result.background, 'failed', 'done')
        // The second batch is halved where the machine is too busy for two rows.
        expect([state, done >= 2 && done < 4]).toEqual(['failed', true])
        await shop.settled()
        await settled(shop)
        expect(await happened()).toEqual(each(done))
        if (tries === 0) await runs(`# resume: ${result.background}`)
      }
      await shop.patch(`/customers/${orders[0].customer.id}`, { name: 'Go' })
      await runs(`# resume: ${result.background}`)
      expect(await until(result.background, 'failed', 'done')).toMatchObject({ state: 'done', done: 4 })
      await shop.settled()
      await settled(shop)
      expect(await happened()).toEqual(each(4))
    }, 60_000)
  })
})
