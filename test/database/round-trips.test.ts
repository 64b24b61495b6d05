import { describe, expect, it } from 'vitest'
import { callTool } from '../mcp/agent.ts'
import { roundTrips } from '../support/round-trips.ts'
import { pay, priceForSale } from '../support/sell.ts'
import { onEachEngine } from '../support/shop.ts'

/** The first query of the programs below; those of jobs and logs read other tables. */
const OF_PROGRAM = /from "(products|customers|price_variants)"|from webhook_endpoints/

describe('Round trips to PostgreSQL', () => {
  onEachEngine((shop) => {
    it('of a paid order and its receipt are at most seven', async () => {
      const price = await priceForSale(shop, { quantity_available: 10 })
      const body = { line_items: [{ price_variant: price.id, quantity: 1 }], email: 'buyer@example.com' }
      const { id } = await shop.post('/checkouts', body)
      const trips = await roundTrips(async () => {
        await pay(shop, id)
        await shop.settled()
      })
      if (shop.running.app.database.engine === 'sqlite') return expect(trips).toEqual(new Map())
      const of = (first: RegExp) => [...trips].find(([text]) => first.test(text))?.[1] ?? Number.NaN
      const [order, receipt] = [of(/from "checkouts"/), of(/^update "jobs" set "state"/)]
      expect({ order, receipt }).toEqual({ order: 3, receipt: 4 })
    })

    it('of a program are one for each thing that it reads first, one for its access and one for its end', async () => {
      for (let made = 0; made < 3; made++) await shop.product()
      const [customer] = [await shop.customer(), await shop.customer(), await shop.customer()]
      await shop.post(`/customers/${customer.id}/tags`, { tags: ['known'] })
      const tripsOf = async (code: string) => {
        const trips = await roundTrips(async () => {
          const { structuredContent } = await callTool(shop.running, 'code_execute', `${code}; 1`)
          expect(structuredContent).toMatchObject({ result: 1 })
        })
        if (shop.running.app.database.engine === 'sqlite') expect(trips).toEqual(new Map())
        return [...trips].find(([text]) => OF_PROGRAM.test(text))?.[1]
      }
      const [one, two, three] = await shop.listed('/products')
      const ids = `["${one}", "${two}", "${three}"]`
      const counted = {
        'ten times the same list': await tripsOf('10.times { get("/products", limit: 1) }'),
        'one product': await tripsOf(`get("/products/${one}")`),
        'three products': await tripsOf(`${ids}.each { |id| get("/products/#{id}") }`),
        'one change': await tripsOf(`patch("/products/${one}", name: "New")`),
        'three changes': await tripsOf(`${ids}.each { |id| patch("/products/#{id}", name: "Newer") }`),
        'changes of all that was listed': await tripsOf(
          'get("/products")["data"].each { |one| patch("/products/#{one["id"]}", name: "Newest") }',
        ),
        'all customers tagged': await tripsOf(
          'list("/customers").each { |one| post("/customers/#{one["id"]}/tags", tags: ["known"]) }',
        ),
        'all customers given a tag': await tripsOf(
          'list("/customers").each { |one| post("/customers/#{one["id"]}/tags", tags: ["new"]) }',
        ),
      }
      if (shop.running.app.database.engine === 'sqlite') return
      expect(counted).toEqual({
        'ten times the same list': 12,
        'one product': 3,
        'three products': 5,
        'one change': 4,
        'three changes': 6,
        'changes of all that was listed': 5,
        'all customers tagged': 8,
        'all customers given a tag': 9,
      })
    })
  })
})
