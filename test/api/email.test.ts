import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

const mails = await startMailServer()
afterAll(() => mails.close())
const SERVER = { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' }

const words = { subject: 'Hello', text: 'See you at 10.' }
const rowOf = (shop: Shop, id: string) =>
  shop.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('An e-mail', () => {
  onGateEngine((shop) => {
    let customer: Body
    beforeEach(async () => {
      customer = await shop.customer()
      mails.received.length = 0
    })

    it('goes to a customer, named by address or id, and the answer says that it was sent', async () => {
      await shop.patch('/account', { name: 'Ada, "Books" & Co.', support_email: 'help@example.com' })
      for (const recipient of [
        { to: customer.email },
        { to: `  ${customer.email.toUpperCase()}` },
        { customer: customer.id },
        { to: customer.email, customer: customer.id },
      ]) {
        const answer = await shop.api('POST', '/emails', { ...recipient, ...words, metadata: { order: '7' } })
        expect([answer.status, answer.body]).toEqual([
          201,
          {
            id: expect.stringMatching(/^email_/),
            object: 'email',
            to: customer.email,
            customer: customer.id,
            subject: 'Hello',
            status: 'sent',
            from: '"Ada, \\"Books\\" & Co." <shop@mail.example>',
            reply_to: 'help@example.com',
            sent_at: expect.any(String),
            error_message: null,
            metadata: { order: '7' },
            created_at: expect.any(String),
          },
        ])
      }
      expect(mails.received).toHaveLength(4)
      expect(mails.received[0]).toMatchObject({
        subject: 'Hello',
        from: { name: 'Ada, "Books" & Co.', address: 'shop@mail.example' },
        to: [{ address: customer.email }],
        replyTo: [{ address: 'help@example.com' }],
      })
      await shop.patch('/account', { support_email: null })
    })

    it('tells of itself by events: written, then sent', async () => {
      const events = await shop.eventsOf(() => shop.post('/emails', { customer: customer.id, ...words }))
      expect(events.map(({ type, data }) => [type, data.status])).toEqual([
        ['email.created', 'queued'],
        ['email.sent', 'sent'],
      ])
      expect(events[1]!.data).not.toHaveProperty('text')
    })

    it('shows the customer when asked to', async () => {
      const email = await shop.post('/emails?expand=customer', { customer: customer.id, ...words })
      expect(email.customer).toMatchObject({ id: customer.id, email: customer.email })
    })

    it('keeps its body until it is settled, and no longer', async () => {
      const { id } = await shop.post('/emails', { customer: customer.id, ...words, html: '<p>Hi</p>' })
      expect(await rowOf(shop, id)).toMatchObject({ status: 'sent', text: null, html: null })
    })

    it('has text, HTML or both', async () => {
      await shop.post('/emails', { customer: customer.id, subject: 'One', text: 'Text' })
      await shop.post('/emails', { customer: customer.id, subject: 'Two', html: '<p>HTML</p>' })
      await shop.post('/emails', { customer: customer.id, subject: 'Three', text: 'Text', html: '<p>HTML</p>' })
      const bodies = mails.received.map(({ text, html }) => [text?.trim(), html?.trim()])
      expect(bodies[0]).toEqual(['Text', undefined])
      expect(bodies[1]![1]).toBe('<p>HTML</p>')
      expect(bodies[2]).toEqual(['Text', '<p>HTML</p>'])
    })

    it('has HTML with styles, and nothing that runs', async () => {
      const html =
        '<html><head><style>p { color: red }</style><script>alert(1)</script></head><body style="margin:0">' +
        '<table role="presentation" cellpadding="0" bgcolor="#ffffff"><tr><td style="padding:8px" onclick="alert(1)">' +
        '<a href="https://shop.example/x?a=1&amp;b=2">Go</a><a href="javascript:alert(1)">No</a>' +
        '<form action="https://evil.example"><input name="card"></form><iframe src="https://evil.example"></iframe>' +
        '</td></tr></table></body></html>'
      await shop.post('/emails', { customer: customer.id, subject: 'Styles', html })
      expect(mails.received[0]!.html?.trim()).toBe(
        '<html><head><style>p { color: red }</style></head><body style="margin:0">' +
          '<table role="presentation" cellpadding="0" bgcolor="#ffffff"><tr><td style="padding:8px">' +
          '<a href="https://shop.example/x?a=1&amp;b=2">Go</a><a>No</a></td></tr></table></body></html>',
      )
    })

    it('needs somebody to go to, and something to say', async () => {
      const refused = (body: unknown) => shop.refusal('POST', '/emails', body)
      expect(await refused(words)).toEqual([400, 'parameter_missing', 'to'])
      expect(await refused({ ...words, to: null, customer: null })).toEqual([400, 'parameter_missing', 'to'])
      expect(await refused({ customer: customer.id, text: 'x' })).toEqual([400, 'parameter_missing', 'subject'])
      expect(await refused({ customer: customer.id, subject: 'x' })).toEqual([400, 'parameter_missing', 'text'])
      expect(await refused({ customer: customer.id, subject: 'x', text: '', html: '' })).toEqual([
        400,
        'parameter_missing',
        'text',
      ])
      expect(mails.received).toEqual([])
    })

    it('goes to customers of the account alone', async () => {
      const refused = (body: object) => shop.refusal('POST', '/emails', { ...words, ...body })
      const stranger = ['is not the address of a customer of this account']
      expect(await refused({ to: 'stranger@example.com' })).toEqual({ to: stranger })
      expect(await refused({ to: 'stranger@example.com', text: null })).toEqual({
        to: stranger,
        text: ["can't be blank"],
      })
      expect(await refused({ to: 'not an address' })).toEqual({ to: ['is not a valid e-mail address'] })
      expect(await refused({ customer: 'cus_unknown' })).toEqual([404, 'resource_missing', 'customer'])
      const other = await shop.customer()
      expect(await refused({ customer: customer.id, to: other.email })).toEqual({
        to: ['is not the address of the customer'],
      })
      const neighbour = shop.as(await shop.running.another(`neighbour-${Date.now()}`))
      expect(await neighbour.refusal('POST', '/emails', { ...words, to: customer.email })).toEqual({ to: stranger })
      expect(await neighbour.refusal('POST', '/emails', { ...words, customer: customer.id })).toEqual([
        404,
        'resource_missing',
        'customer',
      ])
      expect(mails.received).toEqual([])
    })

    it.each(['\n', '\r', '\r\n', '\u2028', '\u0085', '\0', '\v'])('has no %j in what becomes a header', async (end) => {
      const problem = ['must not contain line breaks or other control characters']
      const smuggled = `${end}Bcc: victim@example.com`
      for (const [name, value] of [
        ['subject', `Hello${smuggled}`],
        ['subject', `Hello${end}`],
        ['subject', `${end}Hello`],
        ['to', `${customer.email}${smuggled}`],
        ['to', `${customer.email}${end}`],
        ['reply_to', `help@example.com${smuggled}`],
        ['reply_to', `help@example.com${end}`],
      ] as const) {
        const body = { customer: customer.id, ...words, [name]: value }
        expect(await shop.refusal('POST', '/emails', body)).toEqual({ [name]: problem })
      }
      expect(mails.received).toEqual([])
    })

    it('comes from a shop whose name can smuggle nothing in', async () => {
      const name = 'Shop\r\nBcc: victim@example.com'
      const problem = ['must not contain line breaks or other control characters']
      for (const wrong of [name, 'Shop\n', '\u2028Shop', 'Sh\u0000op'])
        expect([wrong, await shop.refusal('PATCH', '/account', { name: wrong })]).toEqual([wrong, { name: problem }])
      // Earlier versions took it.
      await shop.set('accounts', shop.accountId, { name })
      await shop.post('/emails', { customer: customer.id, ...words })
      const [mail] = mails.received
      expect(mail!.headers.map(({ key }) => key)).not.toContain('bcc')
      expect([mail!.from?.name, mail!.envelope.to]).toEqual(['Shop Bcc: victim@example.com', [customer.email]])
      await shop.patch('/account', { name: 'Bücher 本屋' })
    })

    it('has any script in its subject, its words, its sender and its addresses', async () => {
      const { id, email } = await shop.customer({ email: 'Jörg@MÜLLER.example' })
      const subject = 'Grüße – 漢字 🎉'
      const sent = await shop.post('/emails', {
        customer: id,
        subject,
        text: 'مرحبا',
        reply_to: 'hilfe@bücher.example',
      })
      expect(sent).toMatchObject({ to: email, subject, from: 'Bücher 本屋 <shop@mail.example>', status: 'sent' })
      const [mail] = mails.received
      expect(mail).toMatchObject({ subject, from: { name: 'Bücher 本屋' }, envelope: { to: ['jörg@müller.example'] } })
      expect(mail!.text?.trim()).toBe('مرحبا')
    })

    it('of a test account reaches nobody: it is a file of the outbox', async () => {
      const rehearsal = shop.as(await shop.running.another(`rehearsal-${Date.now()}`, { test: true }))
      const { id } = await rehearsal.customer()
      const sent = await rehearsal.post('/emails', { customer: id, ...words })
      expect(sent.status).toBe('sent')
      expect(await readdir(join(shop.running.dataDirectory, 'outbox'))).toEqual([`${sent.id}.eml`])
      expect(mails.received).toEqual([])
    })

    it('is no longer than a mail client shows', async () => {
      const refused = (body: object) => shop.refusal('POST', '/emails', { customer: customer.id, ...words, ...body })
      expect(await refused({ subject: 'x'.repeat(201) })).toEqual({
        subject: ['is too long (maximum is 200 characters)'],
      })
      expect(await refused({ text: 'x'.repeat(100_001) })).toEqual({
        text: ['is too long (maximum is 100000 characters)'],
      })
      expect(await refused({ html: 'x'.repeat(200_001) })).toEqual({
        html: ['is too long (maximum is 200000 characters)'],
      })
      const most = { subject: '漢'.repeat(200), text: '漢'.repeat(100_000), html: 'x'.repeat(200_000) }
      expect(await shop.post('/emails', { customer: customer.id, ...most })).toMatchObject({ status: 'sent' })
      expect(mails.received[0]!.subject).toBe(most.subject)
      expect(mails.received[0]!.text?.trim()).toBe(most.text)
    })
  }, SERVER)
})

describe('Without a mail server, an e-mail', () => {
  onGateEngine((shop) => {
    it('is a file of the outbox and counts as sent', async () => {
      const customer = await shop.customer()
      const sent = await shop.post('/emails', { customer: customer.id, ...words })
      expect(sent).toMatchObject({ status: 'sent', from: expect.stringMatching(/ <shop@localhost>$/) })
      const outbox = join(shop.running.dataDirectory, 'outbox')
      expect(await readdir(outbox)).toEqual([`${sent.id}.eml`])
      const mail = await PostalMime.parse(await readFile(join(outbox, `${sent.id}.eml`)))
      expect(mail).toMatchObject({ subject: 'Hello', to: [{ address: customer.email }] })
    })
  })
})
