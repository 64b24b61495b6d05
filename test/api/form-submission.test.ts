import { describe, expect, it } from 'vitest'
import { requireRow } from '../../src/records/records.ts'
import { FormSubmission } from '../../src/resources/audience/form-submission/form-submission.ts'
import { CONFIRMATION_EVENTS, confirmSubmission } from '../../src/resources/audience/form-submission/submit.ts'
import { agreed } from '../support/notified.ts'
import { type Body, onEachEngine } from '../support/shop.ts'

const ALL_TYPES = [
  { type: 'email', label: 'E-mail' },
  { type: 'text', label: 'Name' },
  { type: 'textarea', label: 'Story' },
  { type: 'number', label: 'Age' },
  { type: 'phone', label: 'Phone' },
  { type: 'select', label: 'Size', options: ['S', 'M'] },
  { type: 'multi_select', label: 'Topics', options: ['Ruby', 'Tea', 'Maps'] },
  { type: 'checkbox', label: 'Terms' },
  { type: 'date', label: 'Birthday' },
  { type: 'url', label: 'Site' },
]
/** The fields as refusals name them. */
const NAMED = ALL_TYPES.map(({ label }, index) => `${index + 1} (${label})`).join(', ')
const GOOD = {
  1: ' Ada@Example.com ',
  2: ' Ada ',
  3: 'One\nTwo',
  4: 36.5,
  5: '+44 20 7946 0000',
  6: 'M',
  7: ['Tea', 'Maps', 'Tea'],
  8: true,
  9: '1815-12-10',
  10: 'https://example.com/ada',
}

describe('A form submission', () => {
  onEachEngine((shop) => {
    let number = 0
    const address = () => `visitor${++number}@example.com`
    const form = (values: object = {}) => shop.post('/forms', { name: 'Form', ...values })
    const submit = (form_id: string, values: object = {}) => shop.post('/form_submissions', { form_id, ...values })
    const refused = (form_id: string, values: object = {}) =>
      shop.refusal('POST', '/form_submissions', { form_id, ...values })

    /** The messages that a change leaves, as they were sent. */
    async function mails(change: () => Promise<unknown>): Promise<{ to: string; subject: string; replyTo: string }[]> {
      const before = new Set((await emails()).map(({ id }) => id))
      await change()
      await shop.settled()
      const rows = (await emails()).filter(({ id }) => !before.has(id))
      return rows.map(({ to, subject, reply_to }) => ({ to, subject, replyTo: reply_to ?? '' }))
    }
    /** The owner of the address presses the button. */
    const confirm = (id: string) =>
      shop.running.app.pipeline.visits.act(
        { kind: 'visitor', accountId: shop.accountId, pageId: id },
        CONFIRMATION_EVENTS,
        async (context) => confirmSubmission(context, await requireRow(context, FormSubmission, id)),
      )
    const emails = () => shop.db.selectFrom('emails').selectAll().orderBy('id').execute()

    it('keeps each answer with its question, normalised', async () => {
      const { id } = await form({ fields: ALL_TYPES })
      const { answers, email, name, confirmed } = await submit(id, { answers: GOOD })
      expect(answers.map(({ value }: Body) => value)).toEqual([
        'ada@example.com',
        'Ada',
        'One\nTwo',
        36.5,
        '+44 20 7946 0000',
        'M',
        ['Tea', 'Maps'],
        true,
        '1815-12-10',
        'https://example.com/ada',
      ])
      expect(answers[3]).toEqual({ field_id: 4, label: 'Age', value: 36.5, required: false, field_type: 'number' })
      expect([email, name, confirmed]).toEqual(['ada@example.com', 'Ada', true])
    })

    it('stays as it was answered when the form changes', async () => {
      const { id, fields } = await form()
      const { id: submission, answers } = await submit(id, { email: address() })
      await shop.patch(`/forms/${id}`, { fields: [{ ...fields[0], label: 'Where do you live?', type: 'text' }] })
      expect((await shop.get(`/form_submissions/${submission}`)).answers).toEqual(answers)
    })

    it.each([
      [1, 'ada', 'is not a valid e-mail address'],
      [2, 7, 'must be a string, not an integer (7)'],
      [2, 'a'.repeat(1001), 'is too long (maximum is 1000 characters)'],
      [2, 'a\0b', 'must not contain NUL characters or lone surrogates'],
      [4, '36', 'must be a number, not a string ("36")'],
      [5, 'call me', 'is not a phone number; write it like +44 20 7946 0000'],
      [6, 'XL', 'must be one of S, M'],
      [7, ['Tea', 'Coffee'], 'must be one of Ruby, Tea, Maps'],
      [7, 'Tea', 'must be an array, not a string ("Tea")'],
      [8, 'yes', 'must be a boolean, not a string ("yes")'],
      [9, '1815-02-29', 'is not a date; write it like 2027-01-31'],
      [9, '2027-13-01', 'is not a date; write it like 2027-01-31'],
      [10, 'javascript:alert(1)', 'is not a URL; write it like https://shop.example/thanks'],
      [11, 'x', `is not the id of a field of this form; they are ${NAMED}`],
    ])('refuses a wrong answer to field %s where it is: %j', async (field, value, message) => {
      const { id } = await form({ fields: ALL_TYPES })
      expect(await refused(id, { answers: { [field]: value } })).toEqual({ [`answers.${field}`]: [message] })
    })

    it('refuses all that is missing or wrong together', async () => {
      const { id } = await form({ fields: ALL_TYPES.map((field) => ({ ...field, required: true })) })
      const blank = ["can't be blank"]
      const ids = ALL_TYPES.map((_, index) => `answers.${index + 1}`)
      expect(await refused(id)).toEqual(Object.fromEntries(ids.map((place) => [place, blank])))
      expect(await refused(id, { answers: { ...GOOD, 2: ' ', 7: [], 8: false } })).toEqual({
        'answers.2': blank,
        'answers.7': blank,
        'answers.8': ['must be checked'],
      })
      await submit(id, { answers: GOOD })
    })

    it('takes e-mail and name for the first fields of their type, unless these are answered', async () => {
      const { id } = await form({ fields: ALL_TYPES })
      const { answers } = await submit(id, { email: 'grace@example.com', name: 'Grace', answers: { 2: 'Amazing' } })
      expect(answers.slice(0, 2).map(({ value }: Body) => value)).toEqual(['grace@example.com', 'Amazing'])
    })

    it('makes a lead of whoever is new, with the tags of the form, and tells of it', async () => {
      const { id, tags } = await form({ tags: ['From the form'] })
      const email = address()
      const events = await shop.eventsOf(() => submit(id, { email, name: 'Ada Lovelace' }))
      expect(events.map(({ type }) => type).toSorted()).toEqual([
        'customer.created',
        'form_submission.created',
        'lead.created',
      ])
      const [customer] = (await shop.get(`/customers?email=${email}`)).data
      expect(customer).toMatchObject({ customer_type: 'lead', first_name: 'Ada', tags, confirmed_at: null })
      expect(events.find(({ type }) => type === 'lead.created')!.data.tags).toEqual(tags)
      expect((await shop.get(`/forms/${id}`)).submissions_count).toBe(1)
    })

    it('finds whoever is known, and changes nothing but the tags', async () => {
      const { id, tags } = await form({ tags: ['Again'] })
      const known = await shop.customer({ name: 'Ada King', tags: ['Old'] })
      const events = await shop.eventsOf(() => submit(id, { email: known.email, name: 'Somebody else' }))
      expect(events.map(({ type }) => type).toSorted()).toEqual(['customer.updated', 'form_submission.created'])
      const customer = await shop.get(`/customers/${known.id}`)
      expect([customer.name, customer.tags]).toEqual(['Ada King', [...tags, ...known.tags]])
      expect((await shop.eventsOf(() => submit(id, { email: known.email }))).map(({ type }) => type)).toEqual([
        'form_submission.created',
      ])
      const expanded = await shop.get(`/form_submissions?form=${id}&expand=respondent,form`)
      expect(expanded.data[0]).toMatchObject({ respondent: { id: known.id }, form: { id, submissions_count: 2 } })
      expect(await shop.listed(`/form_submissions?customer=${known.id}`)).toHaveLength(2)
    })

    it('has no respondent without an e-mail address, and none any more once that customer is deleted', async () => {
      const { id } = await form({ fields: [{ type: 'text', label: 'Word' }] })
      expect(await submit(id)).toMatchObject({ respondent: null, email: null, name: null })
      const { id: submission, respondent } = await submit(id, { email: address() })
      await shop.delete(`/customers/${respondent}`)
      expect(await shop.get(`/form_submissions/${submission}`)).toMatchObject({ respondent: null })
    })

    it('is refused by an archived form, and by none at all', async () => {
      const { id } = await form()
      await shop.post(`/forms/${id}/archive`)
      expect(await refused(id, { email: address() })).toEqual([400, 'invalid_state'])
      expect(await refused('form_01k9z6v8q2f3x7c5m1n4b0r8ta')).toEqual([404, 'resource_missing', 'form_id'])
    })

    it('is told to the addresses that the form names, who can answer to the respondent', async () => {
      await agreed(shop, 'dashboard@example.com', 'boss@example.com')
      const { id } = await form({
        notification_emails: ['dashboard@example.com', 'Dashboard@example.com', 'boss@example.com'],
      })
      const email = address()
      const sent = await mails(() => submit(id, { email, name: 'Ada' }))
      expect(sent).toEqual([
        { to: 'dashboard@example.com', subject: 'New submission: Form', replyTo: email },
        { to: 'boss@example.com', subject: 'New submission: Form', replyTo: email },
      ])
    })

    it('waits for its confirmation where the form wants one: no tags, no notifications', async () => {
      await agreed(shop, 'a@example.com')
      const { id } = await form({
        confirmation_required: true,
        tags: ['Opted in'],
        notification_emails: ['a@example.com'],
      })
      const email = address()
      const sent = await mails(() => submit(id, { email }))
      expect(sent.map(({ to, subject }) => [to, subject])).toEqual([[email, 'Please confirm: Form']])
      const [customer] = (await shop.get(`/customers?email=${email}`)).data
      expect([customer.tags, customer.confirmed_at]).toEqual([[], null])
      const [submission] = (await shop.get(`/form_submissions?form=${id}`)).data
      expect(submission.confirmed).toBe(false)
      expect(await refused(id)).toEqual({ 'answers.1': ["can't be blank"] })
    })

    it('is announced once it is confirmed where the form asks for that, and its lead with it', async () => {
      const { id } = await form({ confirmation_required: true, tags: ['Announced'] })
      const email = address()
      const waiting = await shop.eventsOf(() => submit(id, { email }))
      expect(waiting.map(({ type }) => type).filter((type) => !type.startsWith('email.'))).toEqual(['customer.created'])
      const [submission] = (await shop.get(`/form_submissions?form=${id}&confirmed=false`)).data
      const confirmed = await shop.eventsOf(() => confirm(submission.id))
      expect(confirmed.map(({ type }) => type).toSorted()).toEqual([
        'customer.confirmed',
        'customer.updated',
        'form_submission.created',
        'lead.created',
      ])
      const { data } = confirmed.find(({ type }) => type === 'form_submission.created')!
      expect(data).toMatchObject({ id: submission.id, confirmed: true })
      expect(await shop.eventsOf(() => confirm(submission.id))).toEqual([])
      expect(await shop.listed(`/form_submissions?form=${id}&confirmed=true`)).toEqual([submission.id])
      expect(await shop.listed(`/form_submissions?form=${id}&confirmed=false`)).toEqual([])
    })

    it('shows in a dry run that it asks for its confirmation', async () => {
      const { id } = await form({ confirmation_required: true })
      const known = await shop.customer()
      const events = await shop.eventsOf(() => submit(id, { email: known.email }))
      expect(events[0]).toMatchObject({ type: 'email.created', data: { to: known.email } })
    })

    it('announces a lead who answers another form meanwhile, and only once', async () => {
      const [asks, other] = [await form({ confirmation_required: true }), await form()]
      const email = address()
      const { id: waiting } = await submit(asks.id, { email })
      const types = (await shop.eventsOf(() => submit(other.id, { email }))).map(({ type }) => type)
      expect(types.toSorted()).toEqual(['form_submission.created', 'lead.created'])
      const later = (await shop.eventsOf(() => confirm(waiting))).map(({ type }) => type)
      expect(later.toSorted()).toEqual(['customer.confirmed', 'form_submission.created'])
    })

    it('is not announced again when an earlier version announced it as it came', async () => {
      const { id } = await form({ confirmation_required: true })
      const { id: submission, respondent } = await submit(id, { email: address() })
      await shop.set('form_submissions', submission, { announced: 1 })
      await shop.set('customers', respondent, { lead_announced: 1 })
      const events = await shop.eventsOf(() => confirm(submission))
      expect(events.map(({ type }) => type)).toEqual(['customer.confirmed'])
    })

    it('asks one address for five confirmations an hour at most', async () => {
      const { id } = await form({ confirmation_required: true })
      const email = address()
      for (let count = 0; count < 5; count++) await submit(id, { email })
      expect(await refused(id, { email })).toEqual({
        email: ['was sent several confirmation requests within an hour; confirm one, or wait'],
      })
      await submit(id, { email: address() })
    })

    it('is counted once for each, however many come at the same time', async () => {
      const { id } = await form()
      await Promise.all(Array.from({ length: 12 }, () => submit(id, { email: address() })))
      expect((await shop.get(`/forms/${id}`)).submissions_count).toBe(12)
    })

    it('leaves nothing when it is refused', async () => {
      const { id } = await form({ notification_emails: ['dashboard@example.com'] })
      const email = address()
      const sent = await mails(async () => {
        expect(await refused(id, { email, answers: { 9: 'x' } })).toHaveProperty('answers.9')
      })
      expect([sent, (await shop.get(`/forms/${id}`)).submissions_count]).toEqual([[], 0])
      expect(await shop.listed(`/customers?email=${email}`)).toEqual([])
    })
  })
})
