import { describe, expect, it } from 'vitest'
import type { ApiError } from '../../src/contract/declarations/errors.ts'
import { inputName } from '../../src/contract/declarations/noun.ts'
import { Formation } from '../../src/features/formations/resources/formation/formation.ts'
import { readInput } from '../../src/pipeline/faults.ts'
import type { Context } from '../../src/records/context.ts'
import { experiences } from '../../src/resources/content/experience/operations.ts'
import { priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'

type Values = Record<string, unknown>

const BLANK = ["can't be blank"]
const NOW = '2026-01-01T00:00:00Z'

const [OWNER] = Formation.fields.members!.spec.example as Values[]
const HALF_AN_OWNER = { ...OWNER, ownership_percent: 50 }
const FORMATION_REST = [
  'entity_type',
  'naics_code',
  'description',
  'name_options',
  'responsible_party',
  'mailing_address',
]

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
  ['/tasks', { trigger_type: 'schedule' }, ['trigger_type', 'name', 'prompt']],
  [
    '/tasks',
    { trigger_type: 'event', cron_expression: 'soon', event_types: ['product.sold'], expires_at: NOW },
    ['cron_expression', 'event_types.0', 'expires_at', 'name', 'prompt'],
  ],
  [
    '/tasks',
    { trigger_type: 'weekly', cron_expression: 'soon' },
    ['trigger_type', 'cron_expression', 'name', 'prompt'],
  ],
  ['/event_sources', { provider: 'pigeon' }, ['provider', 'event_type']],
  ['/event_sources', { provider: 'rss', config: { url: 'ftp://x' } }, ['config.url', 'event_type']],
  ['/event_sources', { provider: 'rss', event_type: 'sent', config: {} }, ['event_type', 'config.url']],
  [
    '/forms',
    { fields: [{ type: 'select', label: 'Size' }], confirmation_required: true, tags: ['x'.repeat(150)] },
    ['fields.0.options', 'confirmation_required', 'tags.0', 'name'],
  ],
  ['/customers', { name: 'Ada Lovelace', first_name: 'Grace', tags: ['x'.repeat(150)] }, ['name', 'tags.0', 'email']],
  ['/checkouts', { discount_code: 'NONE' }, ['discount_code', 'line_items']],
  ['/checkouts', { line_items: [], discount_code: 'NONE', email: 'nobody' }, ['line_items', 'discount_code', 'email']],
  [
    '/checkouts',
    { line_items: [{ price_variant: 'price_x' }], invoice: 'inv_x', discount_code: 'NONE' },
    ['line_items.0.price_variant', 'invoice', 'discount_code'],
  ],
  ['/checkout_links', { price_variants: [], name: 'x'.repeat(2000) }, ['price_variants', 'name']],
  [
    '/social_posts',
    { publish_now: true, scheduled_at: NOW, content: ' ' },
    ['scheduled_at', 'content', 'social_accounts'],
  ],
  ['/formations', { members: [HALF_AN_OWNER], state: 'XX' }, ['members', 'state', ...FORMATION_REST]],
  ['/web/map', { url: 'ftp://x', limit: 0 }, ['url', 'limit']],
]

/** Operations whose rules refuse nothing by the body alone: what a field may be is said by the field, or by other rows. */
const NOTHING_MORE: Record<string, string> = {
  '/refunds': 'an amount is held against its order',
  '/tags': 'a tag of the name is answered',
  '/reviews': 'product and customer are looked up',
  '/form_submissions': 'answers are held against their form',
  '/social_accounts': 'a name is looked up on its platform',
  '/social_posts/validate': 'what is wrong is the answer',
}

describe('A body', () => {
  onGateEngine(
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

      it('has such a check in every operation with something required', () => {
        const tried = MIXED.map(([path]) => path)
        const creating = shop.operations.filter(
          ({ method, body, addressed }) => method === 'POST' && body && !addressed,
        )
        const asking = creating.filter(({ body }) => Object.values(body!).some(({ spec }) => spec.required))
        expect(asking.length).toBeGreaterThan(15)
        const known = [...tried, ...Object.keys(NOTHING_MORE)]
        expect(asking.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([])
        for (const { path, checks } of creating)
          if (tried.includes(path)) expect([path, checks]).not.toEqual([path, []])
      })

      it('is refused over what other rows say, too', async () => {
        const { email } = await shop.post('/customers', { email: 'taken@example.com' })
        const taken = await shop.refusal('POST', '/customers', { email, name: 'Ada', first_name: 'Grace' })
        expect(Object.keys(taken).toSorted()).toEqual(['email', 'name'])

        const code = await shop.discount({ redeem_by: '2090-01-01T00:00:00Z' })
        await shop.patch(`/discounts/${code.id}`, { status: 'inactive' })
        const link = await shop.refusal('POST', '/checkout_links', { discount: code.id })
        expect(Object.keys(link).toSorted()).toEqual(['discount', 'price_variants'])

        const price = await priceForSale(shop)
        const { id: customer } = await shop.post('/customers', { email: 'buyer@example.com' })
        const buyer = { customer, email: 'other@example.com', discount_code: code.code }
        const checkout = await shop.refusal('POST', '/checkouts', {
          ...buyer,
          line_items: [{ price_variant: price.id }],
        })
        expect(Object.keys(checkout).toSorted()).toEqual(['discount_code', 'email'])

        const form = await shop.post('/forms', { name: 'Letters' })
        const answers = { form_id: form.id, answers: { 99: 'x' }, metadata: 5 }
        expect(Object.keys(await shop.refusal('POST', '/form_submissions', answers))).toEqual(
          expect.arrayContaining(['metadata', 'answers.99']),
        )
      })

      it('that names what is unknown is refused over its faults first', async () => {
        const unknown = { customer: 'cus_00000000000000000000000000', email: 'nobody' }
        const errors = await shop.refusal('POST', '/checkouts', { ...unknown, line_items: [] })
        expect(Object.keys(errors).toSorted()).toEqual(['email', 'line_items'])
      })

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

it('of an experience is refused over what its kind lacks, and what belongs to another', async () => {
  const create = experiences.dashboard!.find(({ kind }) => kind === 'create')!
  const given = { item_type: 'embed', title: 'Notes', sessions: 5, description: 7 }
  const { details } = await readInput(create, given, {} as Context).then(
    () => expect.fail('It was taken.'),
    (error: ApiError) => error,
  )
  expect(Object.keys(details.errors!).toSorted()).toEqual(['description', 'name', 'sessions', 'title', 'url'])
})

/** A value of another type than the field's. */
function wrongFor(type: string): unknown {
  return type === 'string' ? 5 : 'neither'
}
