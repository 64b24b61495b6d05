import { beforeAll, describe, expect, it } from 'vitest'
import { messagesTo, send } from '../people/person.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onEachEngine, onGateEngine, type Shop } from '../support/shop.ts'
import { accessPath, linksTo, signedInBuyer } from './buyer.ts'
import { Visitor } from './visitor.ts'

const MONTHLY = { amount: 900, billing_type: 'subscription', recurring_interval: 'month' }
const FAR = '2099-01-01T00:00:00Z'

const buyerCookie = (visitor: Visitor) => [...visitor.cookies].find(([name]) => name.includes('shopwright_buyer'))?.[1]
const isIn = async (visitor: Visitor, path: string) => (await visitor.open(path)).text.includes('Sign out')

describe('The page of what a buyer bought', () => {
  onEachEngine((shop) => {
    let path: string
    let order: Body
    const visitor = () => new Visitor(shop.running.url)
    beforeAll(async () => {
      path = await accessPath(shop)
      order = await sell(shop, [
        { price_variant: (await priceForSale(shop, { amount: 2900 }, { name: 'Handbook' })).id },
      ])
    })

    it('answers the same for every address, and writes to customers alone', async () => {
      const door = await visitor().open(path)
      expect([door.status, door.headers.get('cache-control'), door.headers.get('x-robots-tag')]).toEqual([
        200,
        'no-store',
        'noindex, nofollow',
      ])
      const known = await send(visitor(), path, { email: order.customer.email.toUpperCase() })
      const unknown = await send(visitor(), path, { email: 'nobody@example.com' })
      const plain = (text: string) => text.replaceAll(/\S+@\S+/g, '…')
      expect([known.status, plain(known.text)]).toEqual([unknown.status, plain(unknown.text)])
      await linksTo(shop, order.customer.email, 1)
      expect(await messagesTo(shop, 'nobody@example.com')).toEqual([])
      expect((await send(visitor(), path, { email: 'nobody' })).status).toBe(422)
      const kept = await shop.db.selectFrom('emails').select(['subject', 'text', 'html']).execute()
      expect(JSON.stringify(kept)).not.toContain('/access/link/')
    })

    it('is opened by a link once, by POST alone, for that shop and browser', async () => {
      const customer = await bought(shop)
      const { email } = customer
      await send(visitor(), path, { email })
      const [link = ''] = await linksTo(shop, email, 1)
      for (let prefetches = 0; prefetches < 3; prefetches++) expect((await visitor().open(link)).text).toContain(email)
      const buyer = visitor()
      const answers = await Promise.all([buyer, visitor()].map((one) => send(one, link, {})))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 303])
      expect((await send(visitor(), link, {})).text).toContain('used already or is too old')
      const inside = await signedInBuyer(shop, customer)
      expect(buyerCookie(inside)!.attributes).toMatch(
        new RegExp(`Path=${path}; Max-Age=604800; HttpOnly; SameSite=Lax`),
      )
      const page = await inside.open(path)
      expect(page.text).toContain(`Receipt for Product`)
      expect(page.headers.get('content-security-policy')).not.toContain('script-src')
      const rows = await shop.db.selectFrom('buyer_sessions').selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain(buyerCookie(inside)!.value)
    })

    it('is closed again by signing out, here or everywhere else, and by time', async () => {
      const customer = await bought(shop)
      const [one, other] = [await signedInBuyer(shop, customer), await signedInBuyer(shop, customer)]
      expect([await isIn(one, path), await isIn(other, path)]).toEqual([true, true])
      await send(one, `${path}/details`, { do: 'others' })
      expect([await isIn(one, path), await isIn(other, path)]).toEqual([true, false])
      const copied = visitor()
      copied.cookies.set(`shopwright_buyer ${path}`, { ...buyerCookie(one)! })
      expect(await isIn(copied, path)).toBe(true)
      await send(one, `${path}/sign-out`, {})
      expect([await isIn(one, path), await isIn(copied, path)]).toEqual([false, false])
      const late = await signedInBuyer(shop, await bought(shop))
      await shop.running.app.database.transaction(({ db }) =>
        db.updateTable('buyer_sessions').set({ expires_at: '2026-01-01T00:00:00Z' }).execute(),
      )
      expect(await isIn(late, path)).toBe(false)
    })

    it('takes no form of another site', async () => {
      const headers = { 'sec-fetch-site': 'cross-site' }
      const { email } = await bought(shop)
      expect((await send(visitor(), path, { email }, { headers })).status).toBe(403)
      expect(await linksTo(shop, email, 0)).toEqual([])
    })

    it('sends no more than three links at once to an address, and says nothing of it', async () => {
      const { email } = await bought(shop)
      for (let tries = 0; tries < 5; tries++)
        expect((await send(visitor(), path, { email })).text).toContain('on its way')
      expect(await linksTo(shop, email, 3)).toHaveLength(3)
    })

    it('shows nothing of other buyers or shops', async () => {
      const stranger = shop.as(await shop.running.another(`other-${shop.accountId.slice(-8)}`))
      const theirs = await sell(stranger, [{ price_variant: (await priceForSale(stranger, MONTHLY)).id }])
      const mine = await sell(shop, [{ price_variant: (await priceForSale(shop, MONTHLY)).id }])
      const buyer = await signedInBuyer(shop, await bought(shop))
      for (const { id, subscription } of [theirs, mine])
        for (const below of [`orders/${id}/receipt.pdf`, `subscriptions/${subscription}`]) {
          const seen = await buyer.open(`${path}/${below}`)
          expect([below, seen.status]).toEqual([below, 404])
        }
      expect((await send(buyer, `${path}/subscriptions/${mine.subscription}`, { do: 'cancel' })).status).toBe(404)
      expect((await shop.get(`/subscriptions/${mine.subscription}`)).canceled).toBe(false)
      const elsewhere = await accessPath(stranger)
      buyer.cookies.set(`shopwright_buyer ${elsewhere}`, { ...buyerCookie(buyer)!, path: elsewhere })
      expect(await isIn(buyer, elsewhere)).toBe(false)
    })

    it('sends no NUL characters, which the API refuses too', async () => {
      const { customer } = await sell(shop, [{ price_variant: (await priceForSale(shop, MONTHLY)).id }])
      const buyer = await signedInBuyer(shop, customer)
      const [subscription] = await shop.listed(`/subscriptions?customer=${customer.id}`)
      const renamed = await send(buyer, `${path}/details`, { do: 'name', name: 'Ada\0Lovelace' })
      const why = { do: 'cancel', reason: 'Too\0dear' }
      const canceled = await send(buyer, `${path}/subscriptions/${subscription}`, why)
      expect([renamed.status, canceled.status]).toEqual([400, 400])
      expect((await shop.get(`/customers/${customer.id}`)).name).toBe(customer.name)
      expect((await shop.get(`/subscriptions/${subscription}`)).canceled).toBe(false)
    })
  })
})

/** A customer who has bought something. */
async function bought(shop: Shop, price: Record<string, unknown> = {}): Promise<Body> {
  return (await sell(shop, [{ price_variant: (await priceForSale(shop, price)).id }])).customer
}

describe('A buyer who is signed in', () => {
  onGateEngine((shop) => {
    let path: string
    beforeAll(async () => {
      path = await accessPath(shop)
    })

    it('cancels a subscription at the end of its period, with a reason, and takes it back', async () => {
      const order = await sell(shop, [
        { price_variant: (await priceForSale(shop, MONTHLY, { name: 'Reading Club' })).id },
      ])
      const buyer = await signedInBuyer(shop, order.customer)
      const address = `${path}/subscriptions/${order.subscription}`
      const before = await shop.get(`/subscriptions/${order.subscription}`)
      expect((await buyer.open(path)).text).toContain('$9.00 every month. Next payment: $9.00 on')
      const events = await shop.eventsOf(() => send(buyer, address, { do: 'cancel', reason: 'Too dear' }))
      expect(events.map(({ type }) => type)).toEqual(['subscription.updated'])
      expect(await shop.get(`/subscriptions/${order.subscription}`)).toMatchObject({
        ...{ status: 'active', canceled: true, cancellation_reason: 'Too dear', ends_at: before.current_period_end },
      })
      const ending = await buyer.open(address)
      expect(ending.buttons).toEqual(['resume'])
      await send(buyer, address, { do: 'resume' })
      expect(await shop.get(`/subscriptions/${order.subscription}`)).toMatchObject({ canceled: false, ends_at: null })
    })

    it('pauses one only where the shop lets buyers', async () => {
      const order = await sell(shop, [{ price_variant: (await priceForSale(shop, MONTHLY)).id }])
      const buyer = await signedInBuyer(shop, order.customer)
      const address = `${path}/subscriptions/${order.subscription}`
      expect((await buyer.open(address)).buttons).toEqual(['cancel'])
      await send(buyer, address, { do: 'pause' })
      expect((await shop.get(`/subscriptions/${order.subscription}`)).status).toBe('active')
      await shop.patch('/account', { buyers_may_pause: true })
      await send(buyer, address, { do: 'pause' })
      expect((await shop.get(`/subscriptions/${order.subscription}`)).status).toBe('paused')
      expect((await buyer.open(address)).buttons).toEqual(['resume', 'cancel'])
    })

    it('replaces the card on a page of the session', async () => {
      const order = await sell(shop, [{ price_variant: (await priceForSale(shop, MONTHLY)).id }])
      const buyer = await signedInBuyer(shop, order.customer)
      const page = await buyer.open(`${path}/card`)
      const saved = await send(buyer, page.action!, { card: '4242424242424242' })
      expect([page.action, saved.headers.get('location')]).toEqual([`${path}/card`, `${path}/card?saved`])
      expect((await new Visitor(shop.running.url).open(`${path}/card`)).headers.get('location')).toBe(path)
    })

    it('changes name and address, which the owner of the new one confirms, and the one before is told', async () => {
      const customer = await bought(shop)
      const buyer = await signedInBuyer(shop, customer)
      await send(buyer, `${path}/details`, { do: 'name', name: 'Ada Lovelace' })
      expect(await shop.get(`/customers/${customer.id}`)).toMatchObject({ name: 'Ada Lovelace', last_name: 'Lovelace' })
      const email = `new-${customer.email}`
      await send(buyer, `${path}/details`, { do: 'email', email })
      const [link] = await linksTo(shop, email, 1)
      expect((await shop.get(`/customers/${customer.id}`)).email).toBe(customer.email)
      const owner = new Visitor(shop.running.url)
      expect((await owner.open(link!)).text).toContain(email)
      const events = await shop.eventsOf(() => send(owner, link!, {}))
      expect(events.map(({ type }) => type)).toContain('customer.updated')
      expect((await shop.get(`/customers/${customer.id}`)).email).toBe(email)
      expect((await send(owner, link!, {})).text).toContain('used already')
      expect((await messagesTo(shop, customer.email)).join()).toContain('If you did not change it')
      expect(await isIn(buyer, path)).toBe(true)
    })

    it('cannot have the address of another customer, and hears of it only after proving it', async () => {
      const [one, other] = [await bought(shop), await bought(shop)]
      const buyer = await signedInBuyer(shop, one)
      const before = (await linksTo(shop, other.email, 0)).length
      const asked = await send(buyer, `${path}/details`, { do: 'email', email: other.email })
      expect([asked.status, asked.text.includes('Open the link that we sent')]).toEqual([200, true])
      const link = (await linksTo(shop, other.email, before + 1)).at(-1)!
      const done = await send(new Visitor(shop.running.url), link, {})
      expect([done.status, done.text.includes('nothing was changed')]).toEqual([409, true])
      expect((await shop.get(`/customers/${one.id}`)).email).toBe(one.email)
    })

    it('is signed out when the shop gives the customer another address', async () => {
      const customer = await bought(shop)
      const buyer = await signedInBuyer(shop, customer)
      await send(buyer, path, { email: customer.email })
      const link = (await linksTo(shop, customer.email, 2)).at(-1)!
      await shop.patch(`/customers/${customer.id}`, { email: `other-${customer.email}` })
      expect(await isIn(buyer, path)).toBe(false)
      expect((await send(buyer, link, {})).text).toContain('used already or is too old')
    })

    it('opens content and downloads as long as signed in and entitled', async () => {
      const { id, upload_url } = await shop.post('/files', { filename: 'book.epub' })
      await fetch(upload_url, { method: 'PUT', body: 'abcdefghij' })
      await shop.post(`/files/${id}/uploaded`)
      const content = JSON.stringify({ files: [id] })
      const held = await shop.experience({ item_type: 'download', name: 'The book', slug: `book-${id}`, content })
      const price = await priceForSale(shop, { experience_ids: [held] })
      const order = await sell(shop, [{ price_variant: price.id }])
      const buyer = await signedInBuyer(shop, order.customer)
      const address = `${path}/x/book-${id}/files/${id}`
      expect((await buyer.open(path)).html).toContain(`href="${address}"`)
      expect((await buyer.open(`${path}/x/book-${id}`)).html).toContain(`${shop.running.url}${address}`)
      expect((await buyer.open(address)).html).toBe('abcdefghij')
      expect((await new Visitor(shop.running.url).open(address)).status).toBe(303)
      await shop.post('/refunds', { order: order.id })
      expect((await buyer.open(address)).status).toBe(404)
    })

    it('sees a failed payment with the page where it is paid', async () => {
      const price = await priceForSale(shop, MONTHLY)
      const order = await sell(shop, [{ price_variant: price.id }])
      const { id } = await shop.get(`/subscriptions/${order.subscription}`)
      const checkout = await shop.post('/checkouts', { line_items: [{ price_variant: price.id }] })
      await shop.set('checkouts', checkout.id, { subscription: id, expires_at: FAR })
      await shop.set('subscriptions', id, { status: 'past_due', unpaid_since: '2026-01-01T00:00:00Z' })
      const buyer = await signedInBuyer(shop, order.customer)
      expect((await buyer.open(path)).html).toContain(`<a href="${checkout.url}">Pay now</a>`)
    })
  })
})
