import { beforeAll, describe, expect, it } from 'vitest'
import { ownerOf } from '../support/dashboard.ts'
import { type Person, signIn } from '../support/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const HOSTILE = '<script>alert(1)</script>'

describe('The pages of disputes', () => {
  onGateEngine((shop) => {
    let person: Person
    let price: Body
    beforeAll(async () => {
      person = await signIn(shop.running)
      price = await priceForSale(shop, { amount: 2900 })
    })

    const pageOf = async (path: string) => words((await person.get(`${BASE}${path}`)).html)
    async function disputed(): Promise<{ order: Body; path: string }> {
      const order = await sell(shop, [{ price_variant: price.id }], { paying: { card: '4000000000000259' } })
      await shop.settled()
      const { html } = await person.get(`${BASE}/orders/${order.id}`)
      const [path = ''] = /\/disputes\/\w+/.exec(html) ?? []
      return { order, path }
    }

    it('lead from the order to what the bank says, and take the answer', async () => {
      const { order, path } = await disputed()
      expect(await pageOf('')).toContain('1 dispute needs an answer')
      const before = await pageOf(path)
      for (const part of [
        'Dispute of $29.00',
        'The cardholder says that they did not make this payment.',
        'Answer by',
        'What is sent with your answer',
        order.customer.email,
        'IP address Not kept',
        'Not published, so none is sent.',
      ])
        expect(before).toContain(part)
      const empty = await person.submit(`${BASE}${path}/answer`, { answer: '' })
      expect(empty.status).toBe(422)
      const sent = await person.submit(`${BASE}${path}/answer`, { answer: `${HOSTILE} winning_evidence` })
      expect(sent.location).toBe(`${BASE}${path}?done=done`)
      const { html } = await person.get(`${BASE}${path}`)
      expect(html).not.toContain(HOSTILE)
      for (const part of [
        'You won: the money is yours.',
        'The answer was sent.',
        '&lt;script&gt;alert(1)&lt;/script&gt; winning_evidence',
        'What was sent',
      ])
        expect(words(html)).toContain(part)
      expect(html).not.toContain(`${path}/answer`)
      expect(await pageOf(`/orders/${order.id}`)).toContain('You won: the money is yours.')
    })

    it('ask before a dispute is accepted', async () => {
      const { order, path } = await disputed()
      expect(await pageOf(`${path}/accept`)).toContain('The buyer keeps $29.00')
      await person.submit(`${BASE}${path}/accept`, {})
      expect(await pageOf(path)).toContain('You accepted this dispute')
      expect(await shop.get(`/orders/${order.id}`)).toMatchObject({ status: 'refunded' })
      expect(await pageOf('/disputes')).toContain('Lost')
    })

    it('say in the form that somebody else was first', async () => {
      const { path } = await disputed()
      const owner = await ownerOf(shop)
      const { html } = await person.get(`${BASE}${path}/answer`)
      expect(html).toContain('name="answer"')
      await owner.post(`${path}/answer`, { answer: 'It was delivered.' })
      const second = await person.submit(`${BASE}${path}/answer`, { answer: 'Mine.' })
      expect(words(second.html)).toContain('It can be answered once.')
    })

    it('say where to answer an order that was disputed before disputes were kept', async () => {
      const order = await sell(shop, [{ price_variant: price.id }])
      await shop.set('orders', order.id, { status: 'disputed' })
      expect(await pageOf(`/orders/${order.id}`)).toContain('sign in at your payment provider')
    })
  })
})
