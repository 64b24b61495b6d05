import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { messagesTo } from '../people/person.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { accessPath, signedInBuyer } from './buyer.ts'
import { checkoutsOf } from './checkouts.ts'

const EMAIL = 'ada@example.com'
const CODE = 'txcd_10302000'
/** Ids of the API, tax codes and values of fields; an order has no other number than its id. */
const RAW = /\b(?!ord_)[a-z]+_[a-z0-9]+\b/g

/** Addresses lead somewhere, and nobody reads them. */
const rawIn = (text: string) => text.replaceAll(/https?:\S+/g, '').match(RAW) ?? []

async function printed(url: string, init: RequestInit): Promise<string> {
  const answer = await fetch(url, init)
  const directory = await mkdtemp(join(tmpdir(), 'paper-'))
  try {
    const file = join(directory, 'paper.pdf')
    await writeFile(file, new Uint8Array(await answer.arrayBuffer()))
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
  } finally {
    await rm(directory, { recursive: true })
  }
}

describe('What buyers read', () => {
  onGateEngine((shop) => {
    const texts: [string, string][] = []
    beforeAll(async () => {
      const rate = { country: 'DE', percent: 7, name: 'VAT', inclusive: true, tax_code: CODE }
      await shop.patch('/account', { country: 'AT', vat_id: 'ATU12345675', tax_rates: [rate], buyers_may_pause: true })
      const { visitor, open, item } = checkoutsOf(shop)
      const recurring = { billing_type: 'subscription', recurring_interval: 'month' }
      const sold: [string, Body][] = [
        ['one', { amount: 1500 }],
        ['subscription', { amount: 900, ...recurring }],
        ['trial', { amount: 900, ...recurring, trial_period_days: 14, setup_fee_amount: 500 }],
      ]
      for (const [name, values] of sold) {
        const price = await priceForSale(shop, values, { name: 'Handbook', tax_code: CODE })
        const { url } = await open([item(price)])
        const page = await visitor().open(url)
        const done = await visitor().press(page, 'pay', { email: EMAIL, card: '4242424242424242', place: 'DE' })
        texts.push([`checkout of ${name}`, page.text], [`thank-you page of ${name}`, done.text])
        texts.push([`receipt of ${name}`, await printed(`${url}/receipt.pdf`, {})])
        const bill = { price_variant: price.id, due_at: '2098-01-31T00:00:00Z', email_address: EMAIL, country: 'DE' }
        const invoice = await shop.post('/invoices', bill)
        texts.push([`invoice page of ${name}`, (await visitor().follow(invoice.payment_url)).text])
        const { slug } = await shop.get(`/products/${price.product_id ?? price.product}`)
        const { storefront_url } = await shop.get('/account')
        texts.push([`product of ${name}`, (await visitor().open(`${new URL(storefront_url).pathname}/p/${slug}`)).text])
      }
      const subscriptions = (await shop.get('/subscriptions')).data
      await shop.post(`/subscriptions/${subscriptions[0].id}/cancel`)
      const buyer = await signedInBuyer(shop, { email: EMAIL })
      const path = await accessPath(shop)
      texts.push(['page of purchases', (await buyer.open(path)).text])
      for (const { id } of subscriptions)
        texts.push([`page of ${id}`, (await buyer.open(`${path}/subscriptions/${id}`)).text])
      await shop.settled()
      for (const [index, text] of (await messagesTo(shop, EMAIL)).entries()) texts.push([`letter ${index}`, text])
    })

    it('has no ids, codes or values of fields', () => {
      expect(texts.length).toBeGreaterThan(20)
      expect(texts.map(([name, text]) => [name, rawIn(text)]).filter(([, raw]) => raw!.length > 0)).toEqual([])
      expect(texts.filter(([, text]) => text.includes('VAT 7%')).length).toBeGreaterThan(8)
    })
  })
})
