import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'

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

describe('An e-mail that was written', () => {
  onGateEngine((shop) => {
    let customer: Body
    beforeEach(async () => {
      customer = await shop.customer()
      mails.received.length = 0
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
        error_message: 'For a day, the mail server could not be reached or accepted no messages.',
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

const silent = createServer(() => {})
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
afterAll(() => void silent.close())
const SILENT = {
  SMTP_URL: `smtp://127.0.0.1:${(silent.address() as { port: number }).port}`,
  MAIL_FROM: 'shop@mail.example',
}

describe('A mail server that hangs', () => {
  onGateEngine((shop) => {
    it('holds up the answer for ten seconds at the most, which then says that the e-mail waits, and no other request', async () => {
      const { id } = await shop.customer()
      const began = performance.now()
      let answered = false
      const sending = shop.post('/emails', { customer: id, ...words }).then((sent) => {
        answered = true
        return sent
      })
      for (let count = 0; count < 5; count++) await shop.product()
      expect(answered).toBe(false)
      const email = await sending
      expect(email.status).toBe('queued')
      expect(performance.now() - began).toBeGreaterThan(5_000)
      await until(async () => (await jobOf(shop, email.id)).state === 'waiting')
      shop.running.errors.length = 0
    })
  }, SILENT)
})

describe('Sending e-mails', () => {
  onGateEngine(
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
