import { beforeAll, describe, expect, it } from 'vitest'
import { callAs, peopleOf } from '../people/colleagues.ts'
import { linkIn, messagesTo, ownerOf, send } from '../people/person.ts'
import { fieldsOf } from '../support/person.ts'
import { faultsOf, formsOn, problemsIn, WRONG } from '../support/problems.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { accessPath, signedInBuyer } from './buyer.ts'
import { Visitor } from './visitor.ts'

const EMAIL = 'buyer@example.com'
const TYPES = ['email', 'text', 'textarea', 'number', 'phone', 'date', 'url', 'checkbox']
const FIELDS = [
  ...TYPES.map((type) => ({ type, label: `Question ${type}`, required: true })),
  ...['select', 'multi_select'].map((type) => ({ type, label: `Choice of ${type}`, options: ['S', 'M'] })),
]

describe('What the pages of buyers and of sign-in refuse', () => {
  onGateEngine(
    (shop) => {
      let pages: string[]
      let buyer: Visitor
      beforeAll(async () => {
        await ownerOf(shop)
        pages = [...(await pagesOf(shop)), ...(await doorsOf(shop))]
        buyer = await signedInBuyer(shop, { email: EMAIL })
      })

      it('is said without words of the API, whatever is typed into any field', async () => {
        const faults: object[] = []
        const silent: string[] = []
        for (const path of pages) {
          const visitor = path.includes('/access/') ? buyer : new Visitor(shop.running.url)
          const { html } = await visitor.open(path)
          let refused = 0
          for (const { to, controls } of formsOn(path, html)) {
            const selects = controls.filter(({ kind }) => kind === 'choice').map(({ name }) => name)
            for (const wrong of WRONG) {
              const all = Object.fromEntries(controls.map(({ name }) => [name, wrong]))
              for (const button of buttonsOf(html)) {
                const answer = await send(visitor, to, { ...fieldsOf(html, to), ...all, do: button })
                refused += problemsIn(answer.html).length
                for (const [field, message] of problemsIn(answer.html))
                  if (selects.includes(field ?? '') && !message.startsWith('Choose ')) faults.push({ path, message })
                for (const fault of faultsOf(answer.html)) faults.push({ path, to, wrong: wrong.slice(0, 12), fault })
              }
            }
          }
          if (refused === 0) silent.push(path)
        }
        expect(faults).toEqual([])
        expect(silent).toEqual([])
      }, 120_000)
    },
    { CHECKOUT_POSTS_PER_MINUTE: '100000', FORM_POSTS_PER_CLIENT: '100000', FORM_POSTS_PER_FORM: '100000' },
  )
})

/** The values of buttons that save something; others leave the form. */
function buttonsOf(html: string): string[] {
  const sent = [...html.matchAll(/<button\b[^>]*\bname="do" value="([^"]*)"/g)].map(([, value]) => value!)
  const kept = sent.filter((value) => !['approve', 'refuse', 'decline', 'others'].includes(value))
  return kept.length > 0 ? [...new Set(kept)] : ['']
}

/** The pages on which people buy, answer and look after what they bought. */
async function pagesOf(shop: Shop): Promise<string[]> {
  const custom = { amount_type: 'custom', minimum_amount: 500, amount: null }
  const price = await priceForSale(shop, custom, { name: 'Handbook' })
  const member = await priceForSale(shop, { billing_type: 'subscription', recurring_interval: 'month' })
  await sell(shop, [{ price_variant: member.id }], { checkout: { email: EMAIL } })
  await shop.patch('/account', { country: 'AT', tax_rates: [{ country: 'DE', percent: 19, name: 'VAT' }] })
  const line_items = [{ price_variant: price.id }]
  const { url: checkout } = await shop.post('/checkouts', { line_items })
  const { id: link } = await shop.post('/checkout_links', { price_variants: [price.id] })
  const bill = { price_variant: member.id, due_at: '2099-01-01T00:00:00Z', email_address: EMAIL, country: 'DE' }
  const { payment_url: invoice } = await shop.post('/invoices', bill)
  const { url: form } = await shop.post('/forms', { name: 'Contact', fields: FIELDS })
  const { connect_url: network } = await shop.post('/social_accounts', { platform: 'facebook' })
  const access = await accessPath(shop)
  const addresses = [checkout, `/l/${link}`, `/buy/${price.id}`, invoice, form, network]
  const paths = addresses.map((address) => new URL(address, shop.running.url).pathname)
  return [...paths, `${access}/details`, `${access}/card`]
}

/** The pages on which people come in. */
async function doorsOf(shop: Shop): Promise<string[]> {
  const invited = { email: 'grace@example.com', role: 'viewer' }
  await callAs(shop, peopleOf(shop).owner, 'POST', '/invitations', invited)
  const invitation = linkIn((await messagesTo(shop, invited.email))[0]!)
  // The page of a new password takes any text that is long enough.
  return ['/sign-in', '/forgot-password', new URL(invitation, shop.running.url).pathname]
}
