import { beforeAll, describe, expect, it } from 'vitest'
import { rehearse } from '../support/rehearsal.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { checkoutsOf } from './checkouts.ts'
import type { Visitor } from './visitor.ts'

const BUYER = { email: 'ada@example.com', card: '4242424242424242' }
const RATES = [
  { country: 'DE', percent: 19, name: 'VAT', inclusive: true },
  { country: 'FR', percent: 20, name: 'TVA' },
  { country: 'CA', region: 'QC', percent: 5, name: 'GST' },
  { country: 'CA', region: 'QC', percent: 9.975, name: 'QST' },
]

onGateEngine((shop) => {
  let seller: Shop
  let price: Body
  let page: ReturnType<typeof checkoutsOf>
  beforeAll(async () => {
    seller = (await rehearse(shop)).shop
    await seller.patch('/account', { country: 'AT', tax_rates: RATES })
    price = await priceForSale(seller, { amount: 1190 })
    page = checkoutsOf(seller)
  })

  const arrive = async (more: object = {}): Promise<[Visitor, Body]> => {
    const open = await page.open([page.item(price)], more)
    return [page.visitor(), open]
  }

  describe('The page of a checkout with tax', () => {
    it('asks for the country, and charges nothing before it is chosen', async () => {
      const [visitor, open] = await arrive()
      const seen = await visitor.open(open.url)
      expect(seen.text).toContain('Country')
      expect(seen.html).not.toContain('name="vat_id"')
      const refused = await visitor.press(seen, 'pay', BUYER)
      expect(refused.status).toBe(422)
      expect(refused.text).toContain('Choose your country.')
    })

    it('is paid at once where the total includes the tax, which it shows', async () => {
      const [visitor, open] = await arrive()
      const seen = await visitor.open(open.url)
      const done = await visitor.press(seen, 'pay', { ...BUYER, place: 'DE' })
      expect(done.text).toContain('Thank you')
      expect(done.text).toContain('Includes VAT 19%')
      expect(await page.now(open)).toMatchObject({ status: 'complete', total: 1190, amount_tax: 190, country: 'DE' })
    })

    it('has the buyer confirm a total that the tax raises', async () => {
      const [visitor, open] = await arrive()
      const seen = await visitor.open(open.url)
      const asked = await visitor.press(seen, 'pay', { ...BUYER, place: 'CA-QC' })
      expect(asked.status).toBe(409)
      expect(asked.text).toContain('Nothing was charged yet')
      for (const words of ['GST 5%', '$0.60', 'QST 9.975%', '$1.19', '$13.69']) expect(asked.text).toContain(words)
      expect(await page.orders(open)).toEqual([])
      await visitor.press(asked, 'pay', { ...BUYER, place: 'CA-QC' })
      expect(await page.now(open)).toMatchObject({ status: 'complete', total: 1369, region: 'QC' })
    })

    it('takes the VAT id of a business elsewhere, says what is wrong with one, and takes it back', async () => {
      const [visitor, open] = await arrive()
      const seen = await visitor.open(open.url)
      const chosen = await visitor.press(seen, 'update', { place: 'FR' })
      expect(chosen.text).toContain('VAT ID')
      const wrong = await visitor.press(chosen, 'update', { place: 'FR', vat_id: 'FR123' })
      expect(wrong.text).toContain('VAT ID is not a VAT id of France; they look like FR40303265045.')
      const exempt = await visitor.press(wrong, 'update', { place: 'FR', vat_id: 'fr 40 303265045' })
      expect(exempt.text).toContain('Reverse charge: the buyer owes the tax.')
      expect(await page.now(open)).toMatchObject({ total: 1190, reverse_charge: true })
      await visitor.press(exempt, 'update', { place: 'FR', vat_id: '' })
      expect(await page.now(open)).toMatchObject({ total: 1428, reverse_charge: false, vat_id: null })
    })

    it('says of a subscription what later payments cost with tax', async () => {
      const club = await priceForSale(seller, {
        ...{ amount: 1000, billing_type: 'subscription', recurring_interval: 'month', trial_period_days: 7 },
      })
      const open = await page.open([page.item(club)], { country: 'FR' })
      const visitor = page.visitor()
      expect((await visitor.open(open.url)).text).toContain('then $12.00 every month until canceled.')
    })

    it('opens from a link without tax, and takes the country with the first form', async () => {
      const visitor = page.visitor()
      const seen = await visitor.open(`/buy/${price.id}`)
      expect(seen.text).toContain('Country')
      const asked = await visitor.press(seen, 'pay', { ...BUYER, place: 'FR' })
      expect(asked.text).toContain('$14.28')
    })

    it('asks nothing where the account has no rates', async () => {
      const plain = checkoutsOf(shop)
      const open = await plain.open([plain.item(await priceForSale(shop))])
      expect((await plain.visitor().open(open.url)).text).not.toContain('Country')
    })
  })
})
