import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { trialAgent } from '../../src/features/formations/providers/trial/trial.ts'
import { Formations } from '../support/formations.ts'
import { DECLINED, pay, priceForSale } from '../support/sell.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const CREDIT_OF_THE_BANK = '4000002500003155'

describe('A formation', () => {
  onGateEngine((service) => {
    let formations: Formations
    let shop: Shop
    let example: Body

    beforeEach(async () => {
      formations = await Formations.open(service)
      ;({ shop, example } = formations)
    })

    afterEach(() => {
      vi.restoreAllMocks()
    })

    const start = (values?: object) => formations.start(values)
    const formation = (id: string, query?: string) => formations.get(id, query)
    const act = (id: string, action: string) => formations.act(id, action)
    const startPaid = (values?: object) => formations.startPaid(values)
    const filed = (id: string) => formations.filed(id)
    const refusal = (values: object) => shop.refusal('POST', '/formations', { ...example, ...values })
    const names = (...all: string[]) => ({ name_options: all.map((name) => ({ name })) })

    it('opens a checkout for its price', async () => {
      const made = await start()
      expect(made).toMatchObject({
        object: 'formation',
        status: 'awaiting_payment',
        payment_status: 'unpaid',
        allowed_actions: ['retry_payment'],
        amount: 29_900,
        currency: 'usd',
        paid_inline: false,
        ein: null,
        formation_filing_date: null,
        admin_notes: [],
        provider_error: null,
        submitted_at: null,
      })
      const checkout = await shop.get(`/checkouts/${made.checkout}?expand=checkout_items.product`)
      expect(checkout).toMatchObject({ status: 'open', total: 29_900, url: made.checkout_url, mode: 'payment' })
      expect(checkout.checkout_items).toMatchObject([{ product: null, price_variant: null, amount: 29_900 }])
      expect(checkout.email).toBe((await shop.get('/me')).email)
      expect((await formation(made.id, '?expand=checkout,documents')).checkout).toEqual(
        await shop.get(`/checkouts/${made.checkout}`),
      )
      expect((await shop.get('/products')).data).toEqual([])
    })

    it('is pending once it is paid, and completed with its documents once it is filed', async () => {
      const { id, checkout } = await start(names('Taken', 'Analytical Engines'))
      const paid = await service.eventsOf(() => pay(shop, checkout))
      expect(paid.map(({ type }) => type)).toContain('formation.paid')
      expect(await formation(id)).toMatchObject({ status: 'pending', payment_status: 'paid', checkout_url: null })
      // It may have been filed, and its owner written to, before the events are read.
      const later = ['formation.completed', 'email.created']
      const [submitted, ...none] = await service
        .eventsOf(() => shop.post(`/formations/${id}/submit`))
        .then((all) => all.filter(({ type }) => !later.includes(type)))
      expect(none).toEqual([])
      expect(submitted).toMatchObject({ type: 'formation.submitted', data: { status: 'submitted' } })
      expect(submitted!.data.submitted_at).toMatch(/Z$/)
      await service.settled()
      const done = await formation(id, '?expand=documents')
      expect(done).toMatchObject({
        status: 'completed',
        ein: expect.stringMatching(/^00-\d{7}$/),
        formation_filing_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
        admin_notes: [expect.stringContaining('Analytical Engines LLC')],
        allowed_actions: ['submit'],
      })
      expect(done.documents.map(({ document_type }: Body) => document_type)).toEqual([
        'articles_of_organization',
        'operating_agreement',
        'ein_letter',
      ])
      expect(await act(id, 'submit')).toEqual(await formation(id))
    })

    it('says why it could not be filed, and can be submitted again', async () => {
      const { id } = await startPaid(names('Taken Name', 'Also taken'))
      const failed = await filed(id)
      expect(failed).toMatchObject({
        status: 'failed',
        payment_status: 'paid',
        provider_error: 'None of the names is available. Start a formation with other names.',
        allowed_actions: ['submit'],
      })
      expect(await act(id, 'submit')).toMatchObject({ status: 'submitted', provider_error: null })
      await service.settled()
      expect((await formation(id)).status).toBe('failed')
    })

    it('is paid by a new checkout when the old one came to nothing', async () => {
      const { id, checkout } = await start()
      await pay(shop, checkout, { card: DECLINED })
      expect(await formation(id)).toMatchObject({ status: 'awaiting_payment', payment_status: 'unpaid' })
      const retried = await act(id, 'retry_payment')
      expect(retried.checkout).not.toBe(checkout)
      expect(retried.checkout_url).toContain(retried.checkout)
      expect((await shop.get(`/checkouts/${checkout}`)).status).toBe('abandoned')
      await service.running.app.advanceClock(
        shop.accountId,
        new Date(Date.now() + 50 * 3600_000).toISOString().replace(/\.\d+/, ''),
      )
      expect(await formation(id)).toMatchObject({ status: 'awaiting_payment', checkout_url: null })
      await pay(shop, (await act(id, 'retry_payment')).checkout)
      expect((await formation(id)).status).toBe('pending')
    })

    it('opens no new checkout while one is being paid, nor afterwards', async () => {
      const { id, checkout } = await start()
      await pay(shop, checkout, { card: CREDIT_OF_THE_BANK })
      expect(await shop.refusal('POST', `/formations/${id}/retry_payment`)).toEqual([400, 'invalid_state'])
      const paid = await startPaid()
      expect(await shop.refusal('POST', `/formations/${paid.id}/retry_payment`)).toEqual([400, 'invalid_state'])
    })

    // Written by hand: the state after each action in each state, and null where it is refused.
    const STATES: [status: string, payment: string, submit: string | null, retry: string | null][] = [
      ['awaiting_payment', 'unpaid', null, 'awaiting_payment'],
      ['pending', 'paid', 'submitted', null],
      ['pending', 'refunded', null, null],
      ['submitted', 'paid', 'submitted', null],
      ['completed', 'paid', 'completed', null],
      ['failed', 'paid', 'submitted', null],
      ['failed', 'unpaid', null, 'awaiting_payment'],
      ['failed', 'refunded', null, null],
    ]
    it('permits in each state exactly what the contract says', async () => {
      for (const [status, payment_status, submit, retry_payment] of STATES) {
        for (const [action, expected] of Object.entries({ submit, retry_payment })) {
          const { id } = payment_status === 'unpaid' ? await start() : await startPaid()
          await service.set('formations', id, { status, payment_status })
          const where = [status, payment_status, action]
          const { allowed_actions } = await formation(id)
          expect([...where, allowed_actions.includes(action)]).toEqual([...where, expected !== null])
          const answer = await shop.api('POST', `/formations/${id}/${action}`)
          if (expected === null) expect([...where, answer.body.error?.code]).toEqual([...where, 'invalid_state'])
          else expect([...where, answer.body.status]).toEqual([...where, expected])
        }
      }
    })

    it('needs complete addresses, whole ownership and known states', async () => {
      const { mailing_address, members, responsible_party } = example
      const at = (field: string, address: object) => refusal({ [field]: { ...mailing_address, ...address } })
      expect(Object.keys(await at('mailing_address', { city: ' ' }))).toEqual(['mailing_address.city'])
      expect(Object.keys(await at('mailing_address', { postal_code: 'abc', state: 'Wyoming' }))).toEqual([
        'mailing_address.state',
        'mailing_address.postal_code',
      ])
      expect(Object.keys(await at('mailing_address', { country: 'US', phone: 'none' }))).toEqual([
        'mailing_address.country',
        'mailing_address.phone',
      ])
      const { line1: _, ...withoutLine } = responsible_party.address
      expect(await refusal({ responsible_party: { ...responsible_party, address: withoutLine } })).toEqual({
        'responsible_party.address.line1': ["can't be blank"],
      })
      expect(await refusal({ members: [{ ...members[0], ownership_percent: 99.5 }] })).toEqual({
        members: ['must have an ownership_percent that totals 100 %, not 99.5 %'],
      })
      expect(Object.keys(await refusal({ members: [{ ...members[0], legal_first_name: '' }] }))).toEqual([
        'members.0.legal_first_name',
      ])
      expect(Object.keys(await refusal({ members: Array(21).fill(members[0]) }))).toEqual(['members'])
      expect(Object.keys(await refusal(names('A', 'B', 'C', 'D')))).toEqual(['name_options'])
      expect(Object.keys(await refusal(names()))).toEqual(['name_options'])
      for (const [field, value] of Object.entries({ state: 'ZZ', naics_code: '12345', entity_type: 'GmbH' }))
        expect([field, Object.keys(await refusal({ [field]: value }))]).toEqual([field, [field]])
      expect((await shop.get('/formations')).data).toEqual([])
    })

    it('takes shares that are a hundred together and no sum of floating point', async () => {
      const [member] = example.members
      const shares = [33.33, 33.33, 33.34].map((ownership_percent) => ({ ...member, ownership_percent }))
      expect((await start({ members: shares })).members).toHaveLength(3)
      expect(Object.keys(await refusal({ members: [{ ...member, ownership_percent: 33.333 }] }))).toEqual([
        'members.0.ownership_percent',
      ])
    })

    it('takes addresses abroad as they are', async () => {
      const abroad = { ...example.mailing_address, state: 'Bayern', postal_code: '80331', country: 'deu' }
      expect((await start({ mailing_address: abroad })).mailing_address).toEqual({ ...abroad, country: 'DEU' })
    })

    it('never shows a tax number again, hands it to the agent, and then forgets it', async () => {
      const [member] = example.members
      const people = {
        members: [{ ...member, tax_id: '123-45-6789' }],
        responsible_party: { ...example.responsible_party, tax_id: '987654321' },
      }
      const file = vi.spyOn(trialAgent, 'file')
      const answer = await shop.api('POST', '/formations', { ...example, ...people })
      const { id, checkout } = answer.body
      await pay(shop, checkout)
      const stored = () =>
        service.db.selectFrom('formations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect((await stored()).sealed_tax_numbers).toEqual(expect.any(String))
      const shown = [answer.text, JSON.stringify(await stored()), JSON.stringify(await filed(id))]
      const events = await service.db.selectFrom('events').select('data').execute()
      for (const text of [...shown, JSON.stringify(events)]) expect(text).not.toMatch(/123-?45-?6789|987-?65-?4321/)
      const [{ filing }] = file.mock.calls[0]!
      expect([filing.members[0]!.tax_id, filing.responsible_party.tax_id]).toEqual(['123456789', '987654321'])
      expect((await stored()).sealed_tax_numbers).toBeNull()
      expect(Object.keys(await refusal({ members: [{ ...member, tax_id: '12' }] }))).toEqual(['members.0.tax_id'])
    })

    it('asks an agent that needs time again, and files nothing twice', async () => {
      const file = vi.spyOn(trialAgent, 'file')
      for (let time = 0; time < 2; time++) file.mockResolvedValueOnce({ state: 'pending' })
      const { id } = await startPaid()
      expect((await filed(id)).status).toBe('submitted')
      const { created_at } = await formation(id)
      const later = new Date(Date.parse(created_at) + 5 * 3600_000).toISOString().replace('.000', '')
      await service.running.app.advanceClock(shop.accountId, later)
      expect(new Set(file.mock.calls.map(([{ key }]) => key)).size).toBe(1)
      expect(file).toHaveBeenCalledTimes(3)
      expect((await formation(id)).status).toBe('completed')
    })

    it('is no order, customer or revenue of the account, and no news of its sales', async () => {
      const seen = await service.eventsOf(async () => {
        const { id } = await startPaid()
        await pay(shop, (await start()).checkout, { card: DECLINED })
        await filed(id)
      })
      expect(new Set(seen.map(({ type }) => type).filter((type) => type !== 'email.sent'))).toEqual(
        new Set(['formation.created', 'formation.paid', 'formation.submitted', 'formation.completed', 'email.created']),
      )
      for (const path of ['/orders', '/customers', '/refunds', '/products', '/subscriptions'])
        expect([path, (await shop.get(path)).data]).toEqual([path, []])
      for (const table of ['orders', 'order_items', 'charges', 'access_grants', 'products', 'customers'] as const) {
        const rows = await service.db.selectFrom(table).select('id').where('account_id', '=', shop.accountId).execute()
        expect([table, rows]).toEqual([table, []])
      }
    })

    it('is not paid to the wallet of the account', async () => {
      await shop.patch('/x402_configuration', {
        ...{ x402_enabled: true, x402_chain: 'base' },
        x402_wallet_address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      })
      const { checkout } = await start()
      expect(await shop.get(`/checkouts/${checkout}`)).toMatchObject({ status: 'open', currency: 'usd', x402: null })
    })

    it('mails how it ended to whoever started it', async () => {
      const { email } = await shop.get('/me')
      await filed((await startPaid()).id)
      await filed((await startPaid(names('Taken'))).id)
      const sent = service.db.selectFrom('emails').select(['to', 'subject']).where('account_id', '=', shop.accountId)
      expect(await sent.orderBy('id').execute()).toEqual([
        { to: email, subject: 'Analytical Engines LLC is formed' },
        { to: email, subject: 'Taken LLC could not be filed' },
      ])
    })

    it('has a checkout that takes neither codes nor other items', async () => {
      const { checkout } = await start()
      const { code } = await shop.discount({ percent_off: 100 })
      const path = `/checkouts/${checkout}`
      expect(Object.keys(await shop.refusal('PATCH', path, { discount_code: code }))).toEqual(['discount_code'])
      const { checkout_items } = await shop.get(path)
      expect(checkout_items[0].price_variant).toBeNull()
      const line_items = [{ price_variant: (await priceForSale(shop)).id, quantity: 1 }]
      expect(Object.keys(await shop.refusal('PATCH', path, { line_items }))).toEqual(['line_items'])
    })

    it('is found by its status and its payment', async () => {
      const [open, paid] = [await start(), await startPaid()]
      expect(await shop.listed('/formations?payment_status=paid')).toEqual([paid.id])
      expect(await shop.listed('/formations?status=awaiting_payment')).toEqual([open.id])
      expect(await shop.listed('/formations')).toEqual([paid.id, open.id])
    })
  })
})
