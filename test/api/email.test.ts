import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { type Body, onEachEngine, type Shop } from '../support/shop.ts'

const mails = await startMailServer()
afterAll(() => mails.close())
const SERVER = { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' }

const words = { subject: 'Hello', text: 'See you at 10.' }
const rowOf = (shop: Shop, id: string) =>
  shop.db.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const jobOf = (shop: Shop, id: string) =>
  shop.db.selectFrom('jobs').selectAll().where('payload', 'like', `%${id}%`).executeTakeFirstOrThrow()
/** Polls until it holds, as long as the test may take. */
const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await delay(20)
}
/** Lets the next attempt begin now instead of after its pause. */
const hurry = async (shop: Shop, id: string, attempts?: number) => {
  await until(async () => (await jobOf(shop, id)).state === 'waiting')
  const now = { run_at: '2026-01-01T00:00:00Z', ...(attempts !== undefined && { attempts }) }
  await shop.set('jobs', (await jobOf(shop, id)).id, now)
}
const settled = async (shop: Shop, id: string) => {
  await until(async () => (await rowOf(shop, id)).status !== 'queued')
  return rowOf(shop, id)
}

describe('An e-mail', () => {
  onEachEngine((shop) => {
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
      await shop.patch('/account', { name: 'Shop\r\nBcc: victim@example.com' })
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

    it('is sent once for one Idempotency-Key, and the repeated answer says that it was sent', async () => {
      const headers = { 'Idempotency-Key': 'mail-1' }
      const send = () => shop.api('POST', '/emails', { customer: customer.id, ...words }, { headers })
      const [first, again] = [await send(), await send()]
      expect([first.body.status, again.body]).toEqual(['sent', first.body])
      expect(mails.received).toHaveLength(1)
    })

    it('fails when the server refuses it for good, and is not tried again', async () => {
      mails.recipients.push([550, 'No such user'])
      const events = await shop.eventsOf(async () => {
        expect(await shop.post('/emails', { customer: customer.id, ...words })).toMatchObject({
          status: 'failed',
          sent_at: null,
          error_message: 'The mail server refused it: 550 No such user',
        })
      })
      expect(events.map(({ type }) => type)).toEqual(['email.created', 'email.failed'])
      expect(events[1]!.data.error_message).toBe('The mail server refused it: 550 No such user')
      expect((await shop.db.selectFrom('jobs').selectAll().orderBy('id', 'desc').executeTakeFirst())!.state).toBe(
        'done',
      )
    })

    it('waits when the server cannot take it now, and is tried again until it does', async () => {
      mails.verdicts.push([451, 'Later, please'], [421, 'Later, please'])
      const { id, status } = await shop.post('/emails', { customer: customer.id, ...words })
      expect(status).toBe('queued')
      await hurry(shop, id)
      await hurry(shop, id)
      expect(await settled(shop, id)).toMatchObject({ status: 'sent', error_message: null })
      expect(mails.received).toHaveLength(3)
      expect(new Set(mails.received.map(({ messageId }) => messageId)).size).toBe(1)
      expect(shop.running.errors.splice(0)).toHaveLength(2)
    })

    it('fails after its last attempt', async () => {
      mails.verdicts.push([451, 'Later, please'], [451, 'Later, please'])
      const { id } = await shop.post('/emails', { customer: customer.id, ...words })
      await hurry(shop, id, 34)
      expect(await settled(shop, id)).toMatchObject({
        status: 'failed',
        error_message: 'The mail server could not be reached, or took no message, for a day.',
      })
      await until(async () => (await jobOf(shop, id)).state === 'done')
      expect(shop.running.errors.splice(0)).toHaveLength(1)
    })

    it('is sent again, the same, when the service was lost before it could note that it was sent', async () => {
      const { id } = await shop.post('/emails', { customer: customer.id, ...words })
      const { id: job } = await jobOf(shop, id)
      await until(async () => (await jobOf(shop, id)).state === 'done')
      await shop.set('emails', id, { status: 'queued', sent_at: null, text: words.text })
      const lost = { state: 'working', attempts: 1, leased_until: '2026-01-01T00:00:00Z', finished_at: null }
      const events = await shop.eventsOf(async () => {
        await shop.set('jobs', job, lost)
        await settled(shop, id)
      })
      expect(events.map(({ type }) => type)).toEqual(['email.sent'])
      expect(mails.received).toHaveLength(2)
      expect(mails.received[0]!.raw.equals(mails.received[1]!.raw)).toBe(true)
    })

    it('is not sent again when it was settled before', async () => {
      const { id } = await shop.post('/emails', { customer: customer.id, ...words })
      await until(async () => (await jobOf(shop, id)).state === 'done')
      const lost = { state: 'working', attempts: 1, leased_until: '2026-01-01T00:00:00Z', finished_at: null }
      await shop.set('jobs', (await jobOf(shop, id)).id, lost)
      await until(async () => (await jobOf(shop, id)).state === 'done')
      expect(mails.received).toHaveLength(1)
    })

    it('reaches a customer who is deleted right after it was written', async () => {
      mails.verdicts.push([451, 'Later, please'])
      const { id } = await shop.post('/emails', { customer: customer.id, ...words })
      await shop.delete(`/customers/${customer.id}`)
      await hurry(shop, id)
      expect(await settled(shop, id)).toMatchObject({ status: 'sent' })
      shop.running.errors.length = 0
    })
  }, SERVER)
})

describe('Without a mail server, an e-mail', () => {
  onEachEngine((shop) => {
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

const silent = createServer(() => {})
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
afterAll(() => void silent.close())
const SILENT = {
  SMTP_URL: `smtp://127.0.0.1:${(silent.address() as { port: number }).port}`,
  MAIL_FROM: 'shop@mail.example',
}

describe('A mail server that hangs', () => {
  onEachEngine((shop) => {
    it('holds up the answer for ten seconds at the most, which then says that the e-mail waits', async () => {
      const { id } = await shop.customer()
      const began = performance.now()
      expect(await shop.post('/emails', { customer: id, ...words })).toMatchObject({ status: 'queued' })
      expect(performance.now() - began).toBeGreaterThan(5_000)
      shop.running.errors.length = 0
    })

    it('holds up no other request meanwhile', async () => {
      const { id } = await shop.customer()
      let answered = false
      const sending = shop.post('/emails', { customer: id, ...words }).then(() => {
        answered = true
      })
      for (let count = 0; count < 5; count++) await shop.product()
      expect(answered).toBe(false)
      await sending
      shop.running.errors.length = 0
    })
  }, SILENT)
})

describe('Sending e-mails', () => {
  onEachEngine(
    (shop) => {
      it('has a slower rate limit of its own, besides that of all requests', async () => {
        const { id } = await shop.customer()
        const send = () => shop.api('POST', '/emails', { customer: id, ...words })
        const first = await send()
        expect(first.headers.get('ratelimit-policy')).toBe('"default";q=10000000;w=60, "send_email";q=3;w=60')
        expect(first.headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+, "send_email";r=2;t=\d+$/)
        const answers = [await send(), await send(), await send(), await send()]
        const refused = answers.find(({ status }) => status !== 201)!
        expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limit_exceeded'])
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
        expect((await shop.api('GET', '/me')).headers.get('ratelimit-policy')).toBe('"default";q=10000000;w=60')
      })
    },
    { RATE_LIMIT_SLOW_PER_MINUTE: '3' },
  )
})
