import { expect, it } from 'vitest'
import { memberOf, ownerOf } from '../support/dashboard.ts'
import { signIn } from '../support/person.ts'
import { rehearse } from '../support/rehearsal.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { words } from '../support/words.ts'

const PAGE = '/dashboard/my-shop/settings/tax'

async function ownerPages(shop: Shop) {
  const { caller } = await ownerOf(shop)
  const person = await signIn(shop.running, caller.userId)
  return { person, base: `/dashboard/${(await shop.get('/account')).subdomain}` }
}

onGateEngine((shop) => {
  it('shows on the settings of tax what each rate makes of a price, and says what is wrong with a rate', async () => {
    const person = await signIn(shop.running)
    expect(words((await person.get(PAGE)).html)).toContain('Without rates no tax is charged')
    const rate = { 'tax_rates.#': '0', 'tax_rates.0.country': 'DE', 'tax_rates.0.percent': '19' }
    const wrong = await person.submit(PAGE, { ...rate, 'tax_rates.0.name': 'VAT', 'tax_rates.0.region': 'BY' })
    expect(words(wrong.html)).toContain('is not known of Germany')
    const saved = await person.submit(PAGE, { ...rate, 'tax_rates.0.name': 'VAT', country: 'AT' })
    expect(saved.location).toBe(`${PAGE}?done=saved`)
    const shown = words((await person.get(PAGE)).html)
    for (const part of ['Germany', 'VAT 19%', '$1.90', '$11.90']) expect(shown).toContain(part)
    expect(await shop.get('/account')).toMatchObject({ country: 'AT', tax_rates: [{ country: 'DE', percent: 19 }] })
    expect(words((await person.get('/dashboard/my-shop/settings/account')).html)).not.toContain('Tax rates')
    const { html } = await person.get(PAGE)
    for (const option of [
      '<option value="AT" selected>Austria</option>',
      '<option value="DE" selected>Germany</option>',
      '<option value="QC">Canada: Quebec</option>',
    ])
      expect(html).toContain(option)
    const viewer = await signIn(shop.running, (await memberOf(shop, 'viewer')).caller.userId)
    expect(words((await viewer.get(PAGE)).html)).toContain('Tax rates Country Germany Percent 19')
    for (const path of ['invoices/new', 'customers/new'])
      expect((await person.get(`/dashboard/my-shop/${path}`)).html).toContain('<option value="FR">France</option>')
  })

  it('shows on the pages of a customer and a subscription where they are taxed', async () => {
    const life = await rehearse(shop)
    await life.shop.patch('/account', { country: 'AT', tax_rates: [{ country: 'DE', percent: 19 }] })
    const subscription = await life.subscribe({}, { country: 'DE', vat_id: 'DE136695976' })
    expect(subscription).toMatchObject({ country: 'DE', region: null, vat_id: 'DE136695976' })
    const { person, base } = await ownerPages(life.shop)
    for (const path of [`subscriptions/${subscription.id}`, `customers/${subscription.customer}`])
      expect(words((await person.get(`${base}/${path}`)).html)).toContain('Taxed in Germany VAT ID DE136695976')
  })

  it('reports today by the clock of a test account, and leads from each row to its orders', async () => {
    const { shop: seller } = await rehearse(shop, '2035-05-05T12:00:00Z')
    await seller.patch('/account', { tax_rates: [{ country: 'DE', percent: 19 }] })
    const [tea, book] = [await priceForSale(seller, {}, { name: 'Tea' }), await priceForSale(seller, { name: 'Red' })]
    const sold = await sell(seller, [{ price_variant: tea.id }], { checkout: { country: 'DE' } })
    await sell(seller, [{ price_variant: book.id }], { checkout: { country: 'FR' } })
    const { person, base } = await ownerPages(seller)
    for (const [by, name] of [
      ['product', 'Tea'],
      ['price', 'Tea, '],
      ['country', 'Germany'],
    ] as const) {
      const { html } = await person.get(`${base}/reports?range=today&by=${by}`)
      const [, address] = new RegExp(`<a class="row-link" href="([^"]+)">${name}`).exec(html) ?? []
      const list = (await person.get(address!.replaceAll('&amp;', '&'))).html
      const found = [...new Set([...list.matchAll(/orders\/(ord_\w+)"/g)].map(([, id]) => id))]
      expect([by, found]).toEqual([by, [sold.id]])
    }
    const channels = (await person.get(`${base}/reports?range=today&by=channel`)).html
    expect(channels).toMatch(/<a class="row-link" href="[^"]+channel=api[^"]*">API and dashboard/)
    expect((await person.get(`${base}/reports.csv?range=today&table=rows`)).html).toContain('Tea')
  })
})
