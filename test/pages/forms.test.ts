import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agreed } from '../support/notified.ts'
import { lastMessageTo } from '../support/outbox.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

const FIELDS = [
  { type: 'email', label: 'E-mail', required: true },
  { type: 'text', label: 'Name <b>', placeholder: 'As on your "passport"' },
  { type: 'textarea', label: 'Story' },
  { type: 'number', label: 'Age' },
  { type: 'select', label: 'Size', options: ['S', 'M & L'] },
  { type: 'multi_select', label: 'Topics', options: ['Ruby', 'Tea'] },
  { type: 'checkbox', label: 'Terms' },
  { type: 'date', label: 'Birthday' },
]
const NOTHING = Object.fromEntries(FIELDS.map((_, index) => [`answer-${index + 1}`, '']))

let number = 0
const address = () => `visitor${++number}@example.com`
const makeForm = (shop: Shop, values: object = {}): Promise<Body> =>
  shop.post('/forms', { name: 'Reading circle', fields: FIELDS, ...values })

/** What a browser sends that shows every field: unchecked boxes are left out. */
function send(shop: Shop, form: Body, entered: [string, string][], headers: Record<string, string> = {}) {
  const fields = { ...NOTHING, website: '' } as Record<string, string>
  for (const box of ['answer-6', 'answer-7']) delete fields[box]
  const body = new URLSearchParams([
    ...Object.entries(fields).filter(([name]) => !entered.some(([one]) => one === name)),
    ...entered,
  ])
  const all = { 'Content-Type': 'application/x-www-form-urlencoded', ...headers }
  return new Visitor(shop.running.url).open(form.url, { method: 'POST', body: body.toString(), headers: all })
}

const submissions = async (shop: Shop, form: Body): Promise<Body[]> =>
  (await shop.get(`/form_submissions?form=${form.id}`)).data

describe('The page of a form', () => {
  onGateEngine((shop) => {
    it('shows each question under its label, whatever is in it', async () => {
      const form = await makeForm(shop, { description: 'We meet <on> Mondays.' })
      const { status, html, text } = await new Visitor(shop.running.url).open(form.url)
      expect(status).toBe(200)
      expect(text).toContain('Reading circle We meet <on> Mondays. E-mail Name <b> optional Story optional')
      expect(html).not.toContain('Name <b>')
      for (let id = 1; id <= FIELDS.length; id++) expect(html).toMatch(new RegExp(`<label for="answer-${id}"`))
      expect(html).toContain('<option>M &amp; L</option>')
      expect(html).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i)
    })

    it('takes what is entered as the API would', async () => {
      const form = await makeForm(shop)
      const email = address()
      const answer = await send(shop, form, [
        ['answer-1', email],
        ['answer-2', 'Ada'],
        ['answer-3', 'One\r\nTwo'],
        ['answer-4', '36,5'],
        ['answer-5', 'M & L'],
        ['answer-6', 'Ruby'],
        ['answer-6', 'Tea'],
        ['answer-7', 'yes'],
        ['answer-8', '1815-12-10'],
      ])
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/forms/${form.id}?done`])
      const [submission] = await submissions(shop, form)
      expect(submission.answers.map(({ value }: Body) => value)).toEqual([
        email,
        'Ada',
        'One\nTwo',
        36.5,
        'M & L',
        ['Ruby', 'Tea'],
        true,
        '1815-12-10',
      ])
      expect([submission.email, submission.name]).toEqual([email, 'Ada'])
      expect((await shop.get(`/customers?email=${email}`)).data[0].customer_type).toBe('lead')
    })

    it('shows what is wrong beside each question, and keeps what was typed', async () => {
      const form = await makeForm(shop)
      const answer = await send(shop, form, [
        ['answer-1', 'nobody'],
        ['answer-3', 'A <long> story'],
        ['answer-4', 'many'],
        ['answer-5', 'XL'],
        ['answer-6', 'Tea'],
      ])
      expect(answer.status).toBe(422)
      expect(answer.text).toContain('“E-mail” must be an e-mail address such as name@example.com.')
      expect(answer.text).toContain('“Age” must be a number, such as 12 or 12.5.')
      expect(answer.text).toContain('Choose an answer to “Size” from the list.')
      expect(answer.html).toContain('<a href="#answer-1">')
      expect(answer.html).toContain('A &lt;long&gt; story</textarea>')
      expect(answer.html).toMatch(/value="Tea" checked/)
      expect(answer.html).toContain('value="nobody"')
      expect(await submissions(shop, form)).toEqual([])
    })

    it('says what the shop wants said, or leads to its page', async () => {
      const told = await makeForm(shop, { success_message: 'See you on <Monday>.' })
      const visitor = new Visitor(shop.running.url)
      expect((await visitor.open(`${told.url}?done`)).text).toContain('Thank you See you on <Monday>.')
      const led = await makeForm(shop, { redirect_url: 'https://example.com/thanks?a=b' })
      const page = await visitor.open(`${led.url}?done`)
      expect(page.headers.get('refresh')).toBe('0; url=https://example.com/thanks?a=b')
      expect(page.html).toContain('href="https://example.com/thanks?a=b"')
    })

    it('writes nothing for a program that fills in what nobody sees, and does not tell it', async () => {
      const form = await makeForm(shop)
      const answer = await send(shop, form, [
        ['answer-1', address()],
        ['website', 'https://spam.example'],
      ])
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/forms/${form.id}?done`])
      expect(await submissions(shop, form)).toEqual([])
    })

    it('is closed once its form is archived, and unknown where there is none', async () => {
      const form = await makeForm(shop)
      await shop.post(`/forms/${form.id}/archive`)
      const visitor = new Visitor(shop.running.url)
      expect((await visitor.open(form.url)).status).toBe(410)
      expect((await send(shop, form, [['answer-1', address()]])).text).toContain('“Reading circle” is closed')
      expect(await submissions(shop, form)).toEqual([])
      for (const path of ['/forms/form_01k9z6v8q2f3x7c5m1n4b0r8ta', '/forms/x', '/forms/confirm/x'])
        expect((await visitor.open(path)).status).toBe(404)
    })

    it('asks the owner of the address, whose press of a button confirms it once', async () => {
      await agreed(shop, 'dashboard@example.com')
      const form = await makeForm(shop, {
        confirmation_required: true,
        tags: ['Confirmed'],
        notification_emails: ['dashboard@example.com'],
        success_message: 'Welcome!',
      })
      const email = address()
      await send(shop, form, [['answer-1', email]])
      const visitor = new Visitor(shop.running.url)
      expect((await visitor.open(`${form.url}?done`)).text).toContain('Check your inbox')
      const link = await confirmationLink(shop, email)
      for (let times = 0; times < 2; times++) {
        const page = await visitor.open(link)
        expect(page.text).toContain(`The address ${email} was entered in the form “Reading circle”.`)
      }
      const events = await shop.eventsOf(async () => {
        const page = await visitor.press(await visitor.open(link), 'confirm')
        expect(page.text).toContain('Your e-mail address is confirmed Welcome!')
        await shop.settled()
      })
      expect(events.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['form_submission.created', 'customer.updated', 'customer.confirmed', 'email.created']),
      )
      const [customer] = (await shop.get(`/customers?email=${email}`)).data
      expect([customer.tags, customer.confirmed_at === null]).toEqual([form.tags, false])
      expect((await submissions(shop, form))[0].confirmed).toBe(true)
      const again = await shop.eventsOf(() => visitor.open(link, { method: 'POST' }))
      expect(again).toEqual([])
    })

    it('confirms nothing by a link that was changed', async () => {
      const form = await makeForm(shop, { confirmation_required: true })
      const email = address()
      await send(shop, form, [['answer-1', email]])
      const link = await confirmationLink(shop, email)
      const wrong = `${link.slice(0, -1)}${link.endsWith('a') ? 'b' : 'a'}`
      const answer = await new Visitor(shop.running.url).open(wrong, { method: 'POST' })
      expect([answer.status, (await submissions(shop, form))[0].confirmed]).toEqual([404, false])
    })
  })
})

describe('The pages of forms', () => {
  onGateEngine(
    (shop) => {
      let form: Body
      beforeAll(async () => {
        form = await makeForm(shop)
      })
      afterAll(() => expect(shop.running.errors).toEqual([]))
      const from = (client: string) => ({ 'X-Forwarded-For': client })

      it('run no script, load nothing from elsewhere and are in no frame', async () => {
        const page = await new Visitor(shop.running.url).open(form.url)
        expect(page.headers.get('content-security-policy')).toBe(
          "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        )
        expect(page.headers.get('x-content-type-options')).toBe('nosniff')
        for (const [, style] of page.html.matchAll(/<link rel="stylesheet" href="([^"]+)">/g)) {
          const answer = await new Visitor(shop.running.url).open(style!)
          expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8'])
          expect(answer.html).not.toMatch(/url\(|@import/)
        }
      })

      it('take no form of another site, none of another type, and none that is too long', async () => {
        const entered: [string, string][] = [['answer-1', address()]]
        const foreign = await send(shop, form, entered, { 'Sec-Fetch-Site': 'cross-site', ...from('192.0.2.1') })
        expect(foreign.status).toBe(403)
        const typed = await send(shop, form, entered, { 'Content-Type': 'text/plain', ...from('192.0.2.1') })
        expect(typed.status).toBe(415)
        const long = await send(shop, form, [['answer-3', 'a'.repeat(300_000)]], from('192.0.2.1'))
        expect(long.status).toBe(413)
        expect(await submissions(shop, form)).toEqual([])
      })

      it('take so many forms of one client, and so many for one form', async () => {
        const statuses: number[] = []
        for (let count = 0; count < 4; count++)
          statuses.push((await send(shop, form, [['answer-1', address()]], from('192.0.2.2'))).status)
        expect(statuses).toEqual([303, 303, 303, 429])
        const other = await makeForm(shop)
        const flood: number[] = []
        for (let client = 0; client < 9; client++)
          flood.push((await send(shop, other, [['answer-1', address()]], from(`198.51.100.${client}`))).status)
        expect(flood.filter((status) => status === 303)).toHaveLength(8)
        expect(await submissions(shop, other)).toHaveLength(8)
      })

      it('are looked at and posted to, and nothing else', async () => {
        const answer = await fetch(form.url, { method: 'DELETE' })
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
      })
    },
    { FORM_POSTS_PER_CLIENT: '3', FORM_POSTS_PER_FORM: '8', TRUST_PROXY: 'true' },
  )
})

/** The link of the message that was sent to an address. */
async function confirmationLink(shop: Shop, email: string): Promise<string> {
  return /http\S+\/forms\/confirm\/\S+/.exec(await lastMessageTo(shop, email))![0]
}
