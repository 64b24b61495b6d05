import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { waitInWords } from '../../src/format/durations.ts'
import { pruneOld } from '../../src/jobs/prune.ts'
import { createToken } from '../../src/resources/dashboard/api-token/issue.ts'
import { takeLetter } from '../../src/resources/messages/email/letter-budget.ts'
import { allowanceOf } from '../../src/resources/messages/email/letter-kinds.ts'
import { SECRET_KEY } from '../support/app.ts'
import { ownerOf } from '../support/dashboard.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Body, onGateEngine, type Shop } from '../support/shop.ts'
import { codeOf, sources } from '../support/source-files.ts'

const mails = await startMailServer()
afterAll(() => mails.close())
/** Of one kind: twelve a day, of which four may go to one address. */
const SETTINGS = {
  SMTP_URL: mails.url,
  MAIL_FROM: 'shop@mail.example',
  EMAILS_PER_DAY: '12',
  EMAILS_PER_RECIPIENT: '4',
}
const DAY_MS = 24 * 60 * 60 * 1000
const WORDS = { subject: 'Hello', text: 'See you at 10.' }

/** So much time passes for what is left of the budgets. */
async function pass(shop: Shop, ms: number): Promise<void> {
  for (const { bucket, refilled_at } of await shop.db.selectFrom('letter_buckets').selectAll().execute())
    await shop.running.app.database.transaction(({ db }) =>
      db
        .updateTable('letter_buckets')
        .set({ refilled_at: refilled_at - ms })
        .where('bucket', '=', bucket)
        .execute(),
    )
}

describe('The budget of letters', () => {
  onGateEngine((shop) => {
    let customer: Body
    beforeEach(async () => {
      await pass(shop, DAY_MS)
      customer = await shop.customer()
      mails.received.length = 0
    })
    const send = (to: string, as = shop) => as.api('POST', '/emails', { to, ...WORDS })
    const sendTo = async (to: string, count: number) => {
      const statuses: number[] = []
      for (let index = 0; index < count; index++) statuses.push((await send(to)).status)
      return statuses
    }
    const emailsTo = (to: string) =>
      shop.db.selectFrom('emails').selectAll().where('to', '=', to).orderBy('id').execute()

    it('lets one address have so many e-mails a day, whichever token writes them, and says when the next may come', async () => {
      expect(await sendTo(customer.email, 4)).toEqual([201, 201, 201, 201])
      const { value: token } = await createToken(
        shop.running.app.database,
        SECRET_KEY,
        { accountId: shop.accountId, userId: (await shop.get('/me')).id },
        { name: 'Another' },
      )
      const { status, body, headers } = await shop.api('POST', '/emails', { to: customer.email, ...WORDS }, { token })
      expect([status, body.error.code]).toEqual([429, 'rate_limit_exceeded'])
      const seconds = Number(headers.get('retry-after'))
      expect([seconds > 21_000, seconds <= 21_600]).toEqual([true, true])
      expect(body.error.message).toBe(
        `No more e-mails can be sent to this address right now: the limit is 4 a day. Try again in ${waitInWords(seconds)}.`,
      )
      expect(mails.received).toHaveLength(4)
      await pass(shop, DAY_MS / 4 + 1_000)
      expect(await sendTo(customer.email, 2)).toEqual([201, 429])
    })

    it('takes what follows a plus sign for the same person', async () => {
      const [name, domain] = customer.email.split('@')
      for (const tag of ['a', 'b', 'c', 'd']) {
        const to = `${name}+${tag}@${domain}`
        await shop.post('/customers', { email: to })
        expect((await send(to)).status).toBe(201)
      }
      expect((await send(customer.email)).status).toBe(429)
    })

    it('lets an account have so many e-mails a day in all', async () => {
      for (let index = 0; index < 12; index++) expect((await send((await shop.customer()).email)).status).toBe(201)
      const { status, body } = await send(customer.email)
      expect([status, body.error.message]).toEqual([
        429,
        expect.stringContaining('No more e-mails can be sent by this account right now: the limit is 12 a day.'),
      ])
      const neighbour = shop.as(await shop.running.another(`budget-${Date.now()}`))
      await neighbour.post('/customers', { email: customer.email })
      expect((await send(customer.email, neighbour)).status).toBe(201)
    })

    it('is spent once for each of many e-mails at the same time', async () => {
      const answers = await Promise.all(Array.from({ length: 9 }, () => send(customer.email)))
      const sent = answers.filter(({ status }) => status === 201)
      expect([sent.length, answers.filter(({ status }) => status === 429).length]).toEqual([4, 5])
      expect(mails.received).toHaveLength(4)
    })

    it('counts in real time, for test accounts as well', async () => {
      const test = shop.as(await shop.running.another(`rehearsal-${Date.now()}`, { test: true }))
      await test.post('/customers', { email: customer.email })
      const statuses: number[] = []
      for (let index = 0; index < 5; index++) statuses.push((await send(customer.email, test)).status)
      expect(statuses).toEqual([201, 201, 201, 201, 429])
    })

    it('is another one for each kind: strangers who fill in forms stop neither receipts nor links for passwords', async () => {
      const { email } = customer
      const form = await shop.post('/forms', { name: 'Letter', confirmation_required: true })
      const submit = () => shop.post('/form_submissions', { form_id: form.id, email })
      for (let index = 0; index < 4; index++) await submit()
      await shop.settled()
      const asked = await emailsTo(email)
      expect(asked.map(({ status, error_message }) => [status, error_message])).toEqual([
        ['sent', null],
        ['sent', null],
        ...Array(2).fill([
          'failed',
          'No more requests to confirm a submission can be sent to this address right now: the limit is 2 a day.',
        ]),
      ])
      expect([asked.at(-1)!.text, mails.received.length]).toEqual([null, 2])
      expect(shop.running.warnings).toContainEqual(
        expect.objectContaining({ job: 'deliver_email', accountId: shop.accountId, email: asked.at(-1)!.id }),
      )
      const types = (
        await shop.eventsOf(async () => {
          await submit()
          await shop.settled()
        })
      ).map(({ type }) => type)
      expect(types).toEqual(['email.created', 'email.failed'])
      expect((await send(email)).status).toBe(201)
      mails.received.length = 0
      await shop.set('users', (await shop.get('/me')).id, { email })
      shop.running.app.people.mailPasswordLink(email)
      await mails.until(1)
      expect(mails.received[0]!.subject).toBe('Set a new password')
    })

    it('refuses to mail an invitation again and again', async () => {
      const owner = await ownerOf(shop)
      const invitation = await owner.post('/invitations', { email: `invited-${Date.now()}@example.com` })
      const [status, body] = await owner.try('POST', `/invitations/${invitation.id}/resend`)
      expect([status, body.error.code, body.error.message]).toEqual([
        429,
        'rate_limit_exceeded',
        expect.stringContaining('No more invitations can be sent to this address right now: the limit is 1 a day.'),
      ])
      await owner.delete(`/invitations/${invitation.id}`)
      expect((await owner.try('POST', '/invitations', { email: invitation.email }))[0]).toBe(429)
      await mails.until(1)
      await shop.settled()
      expect(mails.received.map(({ to }) => to![0]!.address)).toEqual([invitation.email])
    })

    it('is one for all accounts of whoever invites: test accounts that come and go give no other', async () => {
      const { pipeline, database, firstAccount } = shop.running.app
      await database.transaction(({ db }) => db.deleteFrom('client_buckets').execute())
      const userId = firstAccount!.userId
      const ask = (accountId: string, path: string, body?: object) => {
        const caller = { kind: 'session', sessionId: 'sess_test', accountId, userId, role: 'owner' } as const
        return pipeline.runUnmetered({ method: 'POST', path, query: {}, body, caller, dashboard: true })
      }
      const email = `stranger-${Date.now()}@example.com`
      const statuses: number[] = []
      for (let round = 0; round < 3; round++) {
        const { body } = await ask(shop.accountId, '/test_accounts', { name: `Rehearsal ${round}` })
        const { id, subdomain } = body as Body
        statuses.push((await ask(id, '/invitations', { email })).status)
        await shop.settled()
        await ask(shop.accountId, `/test_accounts/${id}/delete`, { subdomain })
      }
      expect(statuses).toEqual([201, 429, 429])
      await mails.until(1)
      await shop.settled()
      expect(mails.received.map(({ to }) => to![0]!.address)).toEqual([email])
    })

    it('of links for passwords is that of each person: nobody uses up those of another', async () => {
      const { pipeline, database } = shop.running.app
      const caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_a_test' } as const
      const refused = await pipeline.contexts.part(database, caller, [], async (context) => {
        for (let index = 0; index < 40; index++)
          await takeLetter(context, { kind: 'password', to: `colleague${index % 4}@example.com` })
        const to = 'owner@example.com'
        const taken: Awaited<ReturnType<typeof takeLetter>>[] = []
        for (let index = 0; index < 21; index++) taken.push(await takeLetter(context, { kind: 'password', to }))
        return taken
      })
      expect(refused.slice(0, 20)).toEqual(Array(20).fill(null))
      expect(refused.at(-1)!.message).toContain('to this address right now: the limit is 20 a day')
    })

    it('is not spent by what is rolled back, and forgets who was written to after a day', async () => {
      const { pipeline, database } = shop.running.app
      const caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_a_test' } as const
      const undone = pipeline.contexts.part(database, caller, ['email.created'], async (context) => {
        const letter = { kind: 'message', to: customer.email } as const
        for (let index = 0; index < 4; index++) expect(await takeLetter(context, letter)).toBe(null)
        expect(await takeLetter(context, letter)).not.toBe(null)
        throw new Error('On second thoughts')
      })
      await expect(undone).rejects.toThrow('On second thoughts')
      expect(await sendTo(customer.email, 5)).toEqual([201, 201, 201, 201, 429])
      const count = async () => (await shop.db.selectFrom('letter_buckets').select('bucket').execute()).length
      expect(await count()).toBeGreaterThan(0)
      await pass(shop, DAY_MS)
      await pruneOld(shop.running.app.database, { webhookDays: 30 })
      expect(await count()).toBe(0)
    })
  }, SETTINGS)

  it('is passed by every letter: only those who ask for it hand messages to the mail server', async () => {
    const users = sources.filter((file) => codeOf(file).includes('mail.providerFor('))
    const others = users.filter((file) => !/^(outside\/mail|monitoring)\//.test(file))
    expect(others.filter((file) => codeOf(file).includes('.send(')).sort()).toEqual([
      'resources/company/user/personal-mail.ts',
      'resources/messages/email/deliver.ts',
      'resources/messages/email/service-mail.ts',
    ])
    // The others only say whether letters leave.
    expect(others.filter((file) => !codeOf(file).includes('.send(')).sort()).toEqual([
      'cli/greeting.ts',
      'cli/start.ts',
      'pages/dashboard/you/you.ts',
      'resources/dashboard/mail-settings.ts',
      'resources/dashboard/service-connections.ts',
    ])
  })

  it('has shares of both settings, and never less than one letter', () => {
    const limits = { perDay: 2000, perRecipient: 20 }
    expect(allowanceOf('message', limits)).toEqual({ account: 2000, recipient: 20 })
    expect(allowanceOf('receipt', limits)).toEqual({ account: 20_000, recipient: 100 })
    expect(allowanceOf('invitation', { perDay: 1, perRecipient: 1 })).toEqual({ account: 1, recipient: 1 })
  })
})
