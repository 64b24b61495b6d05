import { describe, expect, it } from 'vitest'
import { inputName } from '../../src/contract/noun.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

type Values = Record<string, unknown>

const BLANK = ["can't be blank"]
const NOW = '2026-01-01T00:00:00Z'

/** Bodies with something that only the operation's rule refuses, beside something that is absent. */
const MIXED: [path: string, body: Values, fields: string[]][] = [
  ['/webhook_endpoints', { url: 'ftp://x' }, ['url', 'enabled_events']],
  ['/webhook_endpoints', { enabled_events: ['product.sold'] }, ['enabled_events.0', 'url']],
  ['/webhook_endpoints', { url: 'ftp://x', enabled_events: ['product.sold'] }, ['url', 'enabled_events.0']],
  ['/emails', { to: 'nobody@example.com' }, ['to', 'subject', 'text']],
  ['/emails', { subject: 'x'.repeat(300) }, ['subject', 'to', 'text']],
  ['/emails', { to: 'nobody', text: 'Hello' }, ['to', 'subject']],
  ['/invoices', { due_at: NOW }, ['due_at', 'price_variant', 'email_address']],
  [
    '/invoices',
    { collection_method: 'charge_automatically' },
    ['collection_method', 'price_variant', 'due_at', 'email_address'],
  ],
  ['/price_variants', { name: 'x'.repeat(200) }, ['name', 'product_id', 'amount']],
  ['/price_variants', { minimum_amount: 5 }, ['minimum_amount', 'product_id', 'amount']],
  [
    '/price_variants',
    { amount: 5, billing_type: 'subscription', preset_amount: 1 },
    ['preset_amount', 'product_id', 'recurring_interval'],
  ],
  ['/discounts', { discount_type: 'percent_off', amount_off: 5 }, ['amount_off', 'code', 'percent_off']],
  ['/discounts', { code: 'NO SPACE', discount_type: 'amount_off', amount_off: 5 }, ['code', 'currency']],
  ['/products', { available_from: '2030-01-01T00:00:00Z', available_until: NOW }, ['available_until', 'name']],
  ['/files', { title: 'x'.repeat(2000) }, ['title', 'filename']],
  ['/sites', { subdomain: 'No' }, ['subdomain', 'prompt']],
]

describe('A body', () => {
  onEachEngine(
    (shop) => {
      it.each(MIXED)(
        'of POST %s with %j is refused over all that is invalid or absent at once',
        async (path, body, fields) => {
          const errors = await shop.refusal('POST', path, body)
          expect(Object.keys(errors).toSorted()).toEqual(fields.toSorted())
          for (const field of fields.filter((name) => !(name.split('.')[0]! in body)))
            expect(errors[field]).toEqual(BLANK)
        },
      )

      it('with one invalid field is 422 over each absent one too, in every operation', async () => {
        let tried = 0
        for (const { method, path, body, bodyMode, addressed, outside } of shop.operations) {
          if (!body || bodyMode !== 'create' || addressed || outside || path.includes('{')) continue
          const fields = Object.entries(body).map(([name, field]) => ({ input: inputName(name, field), ...field.spec }))
          const required = fields.filter((field) => field.required)
          for (const { input, type } of fields) {
            const absent = required.filter((field) => field.input !== input).map((field) => field.input)
            if (absent.length === 0) continue
            const answer = await shop.api(method, path, { [input]: wrongFor(type) })
            expect([path, input, answer.status]).toEqual([path, input, 422])
            const { errors } = (answer.body as Body).error
            expect(Object.keys(errors)).toEqual(expect.arrayContaining([input, ...absent]))
            for (const field of absent) expect([path, errors[field]]).toEqual([path, BLANK])
            tried += 1
          }
        }
        expect(tried).toBeGreaterThan(50)
      })

      it('with nothing but absent fields is 400 over the first of them', async () => {
        expect(await shop.refusal('POST', '/webhook_endpoints', {})).toEqual([400, 'parameter_missing', 'url'])
        expect(await shop.refusal('POST', '/emails', {})).toEqual([400, 'parameter_missing', 'to'])
        expect(await shop.refusal('POST', '/files', {})).toEqual([400, 'parameter_missing', 'filename'])
        expect(await shop.refusal('POST', '/sites', {})).toEqual([400, 'parameter_missing', 'prompt'])
      })
    },
    { RATE_LIMIT_BURST: '10000', RATE_LIMIT_SLOW_PER_MINUTE: '10000' },
  )
})

/** A value of another type than the field's. */
function wrongFor(type: string): unknown {
  return type === 'string' ? 5 : 'neither'
}
