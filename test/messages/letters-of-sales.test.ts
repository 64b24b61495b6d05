import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, describe, expect, it } from 'vitest'
import { emailBody } from '../../src/resources/dashboard/email-body.ts'
import { letterSettings } from '../../src/resources/dashboard/letter-settings/settings.ts'
import { recovery } from '../../src/resources/dashboard/recovery.ts'
import { ownerOf } from '../support/dashboard.ts'
import { startMailServer } from '../support/mail-server.ts'
import { daysAfter, type Rehearsal, rehearse } from '../support/rehearsal.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onEachEngine, onGateEngine } from '../support/shop.ts'

const FAILS_AT_RENEWAL = '4000000000000341'

const subjects = async (life: Rehearsal) =>
  (await life.mails()).map(({ subject, created_at }) => [subject.replaceAll(/[\u2066-\u2069]/g, ''), created_at])

const about = async (life: Rehearsal, words: string) => {
  const all = await subjects(life)
  return all.filter(([subject]) => subject!.includes(words)).map(([, at]) => at)
}

describe('Letters to buyers', () => {
  onGateEngine((shop) => {
    it('tell of a renewal of a year thirty days before, once, and not of monthly ones', async () => {
      const life = await rehearse(shop)
      const { current_period_end: due } = await life.subscribe({ recurring_interval: 'year', amount: 9000 })
      await life.subscribe({ name: 'Monthly' })
      await life.past(daysAfter(due, -31))
      expect(await about(life, 'renews soon')).toEqual([])
      await life.past(daysAfter(due, -1))
      expect(await about(life, 'renews soon')).toEqual([daysAfter(due, -30)])
      await life.past(daysAfter(due, 1))
      expect(await about(life, 'renews soon')).toHaveLength(1)
    })

    it('tell of a trial that starts, once: when it ends, what is charged then to which card, and how to cancel', async () => {
      const life = await rehearse(shop)
      const monthly = { trial_period_days: 14, amount: 2000 }
      const free = await life.subscribe(monthly)
      const charged = await life.subscribe({ ...monthly, setup_fee_amount: 500 })
      await life.subscribe({ amount: 900 })
      await life.shop.settled()
      const sent = await life.mails()
      const letters = sent.filter(({ subject }) => subject.includes('has started'))
      expect(sent).toHaveLength(3)
      expect(letters.map(({ customer }) => customer)).toEqual([free.customer, charged.customer])
      const { storefront_url } = await life.shop.get('/account')
      for (const [index, { id }] of letters.entries()) {
        const { text, html } = await PostalMime.parse(
          await readFile(join(shop.running.dataDirectory, 'outbox', `${id}.eml`)),
        )
        for (const part of [text!, html!]) {
          expect(part).toContain('$20.00 on')
          expect(part).toContain('Visa ending in 4242')
          expect(part).toContain(`${storefront_url}/access`)
          expect(part.includes('Total paid')).toBe(index === 1)
        }
      }
    })

    it('tell of the end of a trial seven days before, of a short one two, and not of one that was canceled', async () => {
      const life = await rehearse(shop)
      const long = await life.subscribe({ trial_period_days: 30 })
      const short = await life.subscribe({ trial_period_days: 7 })
      const canceled = await life.subscribe({ trial_period_days: 30 })
      await life.act(canceled.id, 'cancel')
      await life.past(daysAfter(long.trial_ends_at, -1))
      expect(await about(life, 'ends soon')).toEqual([
        daysAfter(short.trial_ends_at, -2),
        daysAfter(long.trial_ends_at, -7),
      ])
      expect(await about(life, 'Your trial is canceled')).toHaveLength(1)
    })

    it('confirm a cancellation and tell of an unpaid end', async () => {
      const life = await rehearse(shop)
      const kept = await life.subscribe()
      await life.act(kept.id, 'cancel')
      await life.shop.settled()
      expect(await about(life, 'Your subscription is canceled')).toHaveLength(1)
      const lost = await life.subscribe({}, { card: FAILS_AT_RENEWAL })
      await life.past(daysAfter(lost.current_period_end, 30))
      expect(await about(life, 'Your subscription is canceled')).toHaveLength(1)
      expect(await about(life, 'Your subscription has ended')).toEqual([daysAfter(lost.current_period_end, 30)])
    })

    it('tell of each refund once, unless the account wants none of them', async () => {
      const life = await rehearse(shop)
      const owner = await ownerOf(life.shop)
      const price = await priceForSale(life.shop, { amount: 2000 })
      const order = await sell(life.shop, [{ price_variant: price.id }])
      await life.shop.post('/refunds', { order: order.id, amount: 500 })
      await life.shop.settled()
      const [mail] = (await life.mails()).filter(({ subject }) => subject.includes('refund'))
      const file = join(shop.running.dataDirectory, 'outbox', `${mail!.id}.eml`)
      const { text, html } = await PostalMime.parse(await readFile(file))
      for (const part of [text, html]) {
        expect(part).toContain('$5.00')
        expect(part).toContain('a part of your payment')
      }
      await owner.try('PATCH', '/letter_settings', { refund: false })
      expect(await owner.read(letterSettings)).toMatchObject({ refund: false })
      await life.shop.post('/refunds', { order: order.id })
      await life.shop.settled()
      expect(await about(life, 'refund')).toHaveLength(1)
    })
  })
})

describe('Letters to the team', () => {
  onEachEngine((shop) => {
    it('gather a day of failures, and are stopped by a link without a sign-in', { timeout: 60_000 }, async () => {
      const life = await rehearse(shop)
      const all: Body[] = []
      for (const amount of [1000, 2000, 3000]) all.push(await life.subscribe({ amount }, { card: FAILS_AT_RENEWAL }))
      const due = all[0].current_period_end
      await life.past(due)
      const [mail, ...others] = (await life.mails()).filter(({ stop_url }) => stop_url !== null)
      expect(others.length).toBeLessThanOrEqual(0)
      expect(mail!.subject).toContain('could not be charged')
      await life.past(daysAfter(due, 2))
      const stops = (await life.mails()).filter(({ stop_url }) => stop_url !== null)
      expect(stops.length).toBeLessThanOrEqual(3)
      const address = new URL(mail!.stop_url!)
      const ask = (method: string, search = '') =>
        fetch(`${shop.running.url}${address.pathname}${search}`, { method, redirect: 'manual' })
      expect(await (await ask('GET')).text()).toContain('Stop e-mails about failed payments?')
      const [row] = await life.shop.db
        .selectFrom('letter_choices')
        .selectAll()
        .where('account_id', '=', life.shop.accountId)
        .execute()
      expect(row).toBe(undefined)
      expect((await ask('POST')).status).toBe(303)
      expect(await (await ask('GET')).text()).toContain('You get no e-mails about failed payments')
      await life.past(daysAfter(due, 8))
      expect((await life.mails()).filter(({ stop_url }) => stop_url !== null)).toHaveLength(stops.length)
      const wrong = `${address.pathname.slice(0, -4)}aaaa`
      expect((await fetch(`${shop.running.url}${wrong}`)).status).toBe(404)
    })

    it('about sales are written to those who want them, and a hundred sales are two letters', async () => {
      const life = await rehearse(shop)
      const owner = await ownerOf(life.shop)
      const price = await priceForSale(life.shop, { amount: 100 })
      await sell(life.shop, [{ price_variant: price.id }])
      expect(await about(life, 'sale')).toEqual([])
      await owner.try('PATCH', '/own_letters', { sales: true })
      const minuteLater = async () => life.past((await owner.read(recovery)).at)
      await minuteLater()
      for (let count = 0; count < 12; count++) {
        await sell(life.shop, [{ price_variant: price.id }])
        if (count > 0) continue
        await life.shop.settled()
        await minuteLater()
      }
      const { at } = await owner.read(recovery)
      await life.past(daysAfter(at, 1))
      const letters = (await subjects(life)).map(([subject]) => subject).filter((subject) => /sales?:/.test(subject!))
      expect(letters.map((subject) => /^\d+ sales?/.exec(subject!)![0])).toEqual(['1 sale', '11 sales'])
    })
  })
})

const mails = await startMailServer()
afterAll(() => mails.close())

describe('What was written', () => {
  onGateEngine(
    (shop) => {
      it('is readable later without the secrets of its links, sealed, and goes with the customer', async () => {
        const owner = await ownerOf(shop)
        const customer = await shop.customer({ email: 'reader@example.com' })
        const mail = await shop.post('/emails', { customer: customer.id, subject: 'Hello', text: 'See you at 10.' })
        const price = await priceForSale(shop, { amount: 2000 })
        await shop.post('/invoices', {
          price_variant: price.id,
          customer: customer.id,
          due_at: new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, ''),
        })
        await mails.until(2)
        await shop.settled()
        const bodyOf = (id: string) => owner.read(emailBody, id)
        expect(await bodyOf(mail.id)).toMatchObject({ kept: true, text: 'See you at 10.', html: null })
        const sent = mails.received.find(({ subject }) => subject?.startsWith('Invoice'))!
        const bill = (await owner.get('/emails', { customer: customer.id })).data[0]
        const kept = await bodyOf(bill.id)
        expect(sent.text).toContain('_secret_')
        expect([kept.text?.includes('_secret_'), kept.html?.includes('_secret_')]).toEqual([false, false])
        expect(kept.text).toContain('$20.00')
        const stored = await shop.db.selectFrom('email_bodies').select('sealed').execute()
        expect(JSON.stringify(stored)).not.toMatch(/See you|20\.00/)
        const reader = await shop.customer({ email: 'goes@example.com' })
        const last = await shop.post('/emails', { customer: reader.id, subject: 'Bye', text: 'So long.' })
        await shop.delete(`/customers/${reader.id}`)
        expect(await bodyOf(last.id)).toMatchObject({ kept: false, text: null })
      })
    },
    { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' },
  )
})
