import { beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, type Person, signIn } from '../support/person.ts'
import { sell } from '../support/sell.ts'
import { type Body, onEachEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const BASE = '/dashboard/my-shop'
const NEW = `${BASE}/products/new`
const SCRIPT = '<script>alert(1)</script>'

describe('The form of a product', () => {
  onEachEngine((shop) => {
    let person: Person
    let picture: string
    let zip: string

    beforeAll(async () => {
      person = await signIn(shop.running)
      picture = await shop.file({ filename: 'kite.png' })
      zip = await shop.file({ filename: 'plans.zip', content_type: 'application/zip' })
    })

    const idIn = (location: string | null) => /prod_[a-z0-9]+/.exec(location ?? '')![0]
    const all = async (path: string): Promise<Body[]> => (await shop.get(path)).data
    const pricesOf = (product: string) => all(`/price_variants?product=${product}`)
    const named = (name: string) => all(`/products?query=${encodeURIComponent(name)}`)
    const codes = (code: string) => all(`/discounts?query=${code}`)
    /** Everything of a launch, with one of its prices in yen. */
    const launch = (name: string, code: string) => ({
      name,
      description: 'Fly it.',
      media: picture,
      downloads: zip,
      [`alt.${picture}`]: 'A red kite above the sea',
      price_rows: '0 1',
      'price.0.amount': '29',
      'price.1.kind': 'subscription',
      'price.1.name': 'Club',
      'price.1.amount': '1,500',
      'price.1.currency': 'jpy',
      'price.1.recurring_interval': 'month',
      'price.1.trial_period_days': '7',
      'code.code': code,
      'code.percent_off': '25',
      do: 'publish',
    })

    it('keeps a product with its prices, picture, download and code at once', async () => {
      const made = await person.submit(NEW, launch('Kite', 'KITE25'))
      expect([made.status, made.location]).toEqual([303, expect.stringMatching(/\?code=disc_\w+&done=created$/)])
      const id = idIn(made.location)
      const product = await shop.get(`/products/${id}`)
      expect([product.status, product.media_gallery.map((one: Body) => one.id)]).toEqual(['active', [picture]])
      const [single, club] = await pricesOf(id)
      expect(single).toMatchObject({ amount: 2900, currency: 'usd', billing_type: 'one_time', amount_type: 'fixed' })
      expect(club).toMatchObject({ name: 'Club', amount: 1500, currency: 'jpy', trial_period_days: 7 })
      expect(club.recurring_interval).toBe('month')
      const experience = await shop.get(`/experiences/${single.experiences[0]}`)
      expect([experience.item_type, experience.content.files, club.experiences]).toEqual([
        'download',
        [zip],
        single.experiences,
      ])
      const [code] = await codes('KITE25')
      expect([code.percent_off, code.applies_to_product_ids]).toEqual([25, [id]])
      expect((await shop.get(`/files/${picture}`)).alternative_text).toBe('A red kite above the sea')
    })

    it('says that the code is ready, and shows it on the page of the product and in the list of discounts', async () => {
      const limits = { 'code.max_redemptions': '100', 'code.redeem_by': '2099-05-03T12:00:00' }
      const made = await person.submit(NEW, { ...launch('Box kite', 'BOX20'), 'code.percent_off': '20', ...limits })
      const id = idIn(made.location)
      const [code] = await codes('BOX20')
      const page = await person.get(made.location!)
      expect(words(page.html)).toContain(
        'Code BOX20 Copy is ready: 20% off this product, until 3 May 2099, 100 uses. View discount',
      )
      expect(page.html).toContain(`href="${BASE}/discounts/${code.id}"`)
      const later = words((await person.get(`${BASE}/products/${id}`)).html)
      expect(later).toContain('Discount codes Add a code BOX20 Active 20% off this product')
      expect(later).not.toContain('is ready')
      // A code of another product is not said to be ready here.
      const other = await shop.product({ name: 'Other' })
      expect(words((await person.get(`${BASE}/products/${other.id}?code=${code.id}`)).html)).not.toContain('is ready')
      const discount = await person.get(`${BASE}/discounts/${code.id}`)
      expect(discount.html).toMatch(new RegExp(`<a class="button" href="${BASE}/products/${id}">View product</a>`))
      expect((await person.get(`${BASE}/discounts?query=BOX20`)).html).toContain(
        `<a href="${BASE}/products/${id}">Box kite</a>`,
      )
      const edit = words((await person.get(`${BASE}/products/${id}/edit`)).html)
      expect(edit).toContain('To add another code for this product, enter it here.')
    })

    it('narrows discounts to those that name a product, or one of its prices', async () => {
      const { id, slug } = await shop.product({ name: 'Narrow kite' })
      const price = await shop.price(id)
      const off = { discount_type: 'percent_off', percent_off: 5 }
      await shop.post('/discounts', { ...off, code: 'ALL5' })
      await shop.post('/discounts', { ...off, code: 'PRICE5', price_variants: [price.id] })
      await shop.post('/discounts', { ...off, code: 'PRODUCT5', applies_to_product_ids: [slug] })
      const found = await all(`/discounts?product=${slug}`)
      expect(found.map(({ code }) => code)).toEqual(['PRODUCT5', 'PRICE5'])
      expect(await all('/discounts?product=nothing')).toEqual([])
    })

    it('names prices by what they cost, and puts them into another order', async () => {
      const { id } = await shop.product({ name: 'Ordered kite', status: 'active' })
      const first = await shop.price(id, { amount: 900, billing_type: 'subscription', recurring_interval: 'month' })
      const gone = await shop.price(id, { amount: 100 })
      await shop.patch(`/price_variants/${gone.id}`, { archived: true })
      const second = await shop.price(id, { amount: 9000, billing_type: 'subscription', recurring_interval: 'year' })
      const shown = await person.get(`${BASE}/products/${id}`)
      for (const name of ['$9.00 every month', '$90.00 every year']) expect(shown.html).toContain(`edit">${name}</a>`)
      expect(words((await person.get(`${BASE}/price_variants/${first.id}`)).html)).toContain('$9.00 every month Edit')
      const edit = `${BASE}/products/${id}/edit`
      const page = await person.get(edit)
      expect(words(page.html)).toMatch(/Price 1: 9\.00 USD every month .* Price 2: 90\.00 USD every year/)
      const form = fieldsOf(page.html, edit)
      expect(form['price.0.name']).toBe('')
      const moved = fieldsOf((await person.post(edit, { ...form, change: 'earlier price 1' })).html, edit)
      expect(moved.price_rows).toBe('1 0')
      const end = fieldsOf((await person.post(edit, { ...moved, change: 'later price 0' })).html, edit)
      expect(end.price_rows).toBe('1 0')
      expect((await person.post(edit, { ...end, do: 'save' })).status).toBe(303)
      const after = await pricesOf(id)
      expect(after.map((price) => price.id)).toEqual([second.id, gone.id, first.id])
      expect(after.map((price) => [price.name, price.position])).toEqual([
        ['Default', 1],
        ['Default', 2],
        ['Default', 3],
      ])
      // Who does not move prices leaves the order to others.
      const again = fieldsOf((await person.get(edit)).html, edit)
      await shop.patch(`/price_variants/${first.id}`, { position: 1 })
      await person.post(edit, { ...again, name: 'Kite', do: 'save' })
      expect((await pricesOf(id))[0]!.id).toBe(first.id)
    })

    it('keeps nothing where a part is refused, and says every problem at its own row', async () => {
      const wrong = { 'price.0.amount': 'a lot', 'price.1.trial_period_days': '9999', 'code.percent_off': '120' }
      const refused = await person.submit(NEW, { ...launch('Torn kite', 'TORN25'), ...wrong })
      expect(refused.status).toBe(400)
      expect([await named('Torn kite'), await codes('TORN25')]).toEqual([[], []])
      const shown = fieldsOf(refused.html, NEW)
      expect(shown).toMatchObject({ name: 'Torn kite', 'code.code': 'TORN25', 'price.1.amount': '1,500', ...wrong })
      for (const field of ['price.0.amount', 'price.1.trial_period_days', 'code.percent_off'])
        expect([field, refused.html.includes(`id="field-${field}-problem"`)]).toEqual([field, true])
      expect(words(refused.html)).toMatch(/Price 1: Price must be an amount such as 12\.50/)
      expect(words(refused.html)).toContain('Discount code: Percent must be at most 100')
      const mended = { ...shown, 'price.0.amount': '12.34', 'price.1.trial_period_days': '', 'code.percent_off': '20' }
      const done = await person.post(NEW, { ...mended, media: picture, do: 'publish' })
      expect(done.status).toBe(303)
      expect((await pricesOf(idIn(done.location))).map(({ amount }) => amount)).toEqual([1234, 1500])
    })

    it('says what is wrong with the prices also where the product itself is refused', async () => {
      const refused = await person.submit(NEW, {
        ...launch(' ', 'BLANK25'),
        'price.0.amount': '',
        'price.0.name': 'Single',
      })
      expect(words(refused.html)).toContain("Name can't be blank")
      expect(words(refused.html)).toContain("Price 1: Price can't be blank")
      expect(await codes('BLANK25')).toEqual([])
      expect(await named('Product')).toEqual([])
    })

    it('makes one of everything when it is sent twice', async () => {
      const form = { ...fieldsOf((await person.get(NEW)).html, NEW), ...launch('Twin kite', 'TWIN25') }
      const [first, second] = [await person.post(NEW, form), await person.post(NEW, form)]
      expect([first.status, second.location]).toEqual([303, first.location])
      const found = await named('Twin kite')
      expect([found.length, (await pricesOf(found[0].id)).length]).toEqual([1, 2])
      expect(await codes('TWIN25')).toHaveLength(1)
    })

    it('keeps a draft without a price, and puts nothing on sale without one', async () => {
      const draft = await person.submit(NEW, { name: 'Sketch', do: 'draft' })
      const id = idIn(draft.location)
      expect([(await shop.get(`/products/${id}`)).status, await pricesOf(id)]).toEqual(['draft', []])
      const refused = await person.submit(NEW, { name: 'Unpriced', do: 'publish' })
      expect([refused.status, await named('Unpriced')]).toEqual([400, []])
      expect(refused.html).toContain('id="field-price.0.amount-problem"')
    })

    it('adds rows and takes them out without scripts, and loses nothing of the rest', async () => {
      const filled = { ...fieldsOf((await person.get(NEW)).html, NEW), name: 'Rows', 'price.0.amount': '5' }
      const more = await person.post(NEW, { ...filled, 'price.0.currency': 'eur', change: 'add price' })
      const fields = fieldsOf(more.html, NEW)
      expect([more.status, fields]).toEqual([422, expect.objectContaining({ name: 'Rows', price_rows: '0 1' })])
      expect([fields['price.0.amount'], fields['price.1.currency']]).toEqual(['5', 'eur'])
      const less = fieldsOf((await person.post(NEW, { ...fields, change: 'remove price 0' })).html, NEW)
      expect([less.price_rows, less['price.0.amount'], less['price.1.kind']]).toEqual(['1', undefined, 'once'])
      expect(await named('Rows')).toEqual([])
    })

    it('changes what was changed, archives a price that was sold and deletes one that was not', async () => {
      const { id } = await shop.product({ name: 'Old kite', status: 'active', description: 'Old.' })
      const sold = await shop.price(id, { name: 'Sold', amount: 1000 })
      await shop.price(id, { name: 'Unsold', amount: 2000 })
      const kept = await shop.price(id, { name: 'Kept', amount: 3000 })
      await sell(shop, [{ price_variant: sold.id }])
      const edit = `${BASE}/products/${id}/edit`
      const rows = fieldsOf((await person.get(edit)).html, edit)
      expect([rows['price.0.name'], rows['price.2.amount']]).toEqual(['Sold', '30.00'])
      // Meanwhile an agent changes what this form does not touch.
      await shop.patch(`/products/${id}`, { description: 'New.' })
      await shop.patch(`/price_variants/${kept.id}`, { quantity_available: 7 })
      const first = fieldsOf((await person.post(edit, { ...rows, change: 'remove price 0' })).html, edit)
      const second = fieldsOf((await person.post(edit, { ...first, change: 'remove price 1' })).html, edit)
      const sent = {
        ...second,
        description: 'New.',
        'price.2.quantity_available': '7',
        'price.2.amount': '35',
        do: 'save',
      }
      expect((await person.post(edit, sent)).status).toBe(303)
      const after = await pricesOf(id)
      expect(after.map((price) => [price.name, price.archived, price.amount])).toEqual([
        ['Sold', true, 1000],
        ['Kept', false, 3500],
      ])
      expect((await shop.get(`/products/${id}`)).status).toBe('active')
    })

    it('shows the page that it makes, for its own person alone, and keeps nothing of it', async () => {
      const preview = `${BASE}/products/preview`
      const form = { ...fieldsOf((await person.get(NEW)).html, NEW), ...launch('Seen kite', 'SEEN25') }
      const seen = await person.post(preview, { ...form, body_html: `<p>Long <b>text</b></p>${SCRIPT}` })
      expect(words(seen.html)).toContain('Seen kite Fly it. Prices $29.00')
      for (const part of ['¥1,500', 'every month', 'The first 7 days are free', 'Long text'])
        expect(words(seen.html)).toContain(part)
      expect(seen.html).toContain('alt="A red kite above the sea"')
      expect(seen.html).not.toContain('<script')
      expect(seen.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'self'/)
      expect(seen.headers.get('cache-control')).toBe('no-store')
      expect(await named('Seen kite')).toEqual([])
      const foreign = await new (person.constructor as new (running: object) => Person)(shop.running).get(preview)
      expect([foreign.status, foreign.location]).toEqual([303, expect.stringContaining('/sign-in')])
      const hostile = await person.post(preview, { ...form, csrf: 'x' })
      expect(hostile.status).toBe(403)
    })

    it('offers currencies, time zones and tax codes to choose, and types none of them', async () => {
      const { html } = await person.get(NEW)
      expect(html).toMatch(
        /<select id="field-price\.0\.currency"[^>]*>.{0,80}<option value="usd" selected>USD – US Dollar</,
      )
      expect(html).toMatch(/<select id="field-tax_code"/)
      const account = await person.get(`${BASE}/settings/account`)
      expect(account.html).toMatch(/<select id="field-default_currency"/)
      expect(account.html).toMatch(/<select id="field-timezone".*<option value="Europe\/Paris">/s)
      for (const path of ['price_variants/new', 'discounts/new'])
        expect((await person.get(`${BASE}/${path}`)).html).toContain('<select id="field-currency"')
    })
  })
})
