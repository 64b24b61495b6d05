import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../../src/records/context.ts'
import { queueFailedRenewal, queueInvoice, queueReceipt } from '../../src/resources/messages/email/service-mail.ts'
import { startMailServer } from '../support/mail-server.ts'
import { onGateEngine } from '../support/shop.ts'
import { failedRenewal, invoice, receipt } from './letters.ts'

const mails = await startMailServer()
afterAll(() => mails.close())

describe('Messages of the service', () => {
  onGateEngine(
    (shop) => {
      /** A transaction of a rule that sells something. */
      const within = <Result>(work: (context: Context) => Promise<Result>): Promise<Result> => {
        const { pipeline, database } = shop.running.app
        const caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_a_test' } as const
        return pipeline.contexts.part(database, caller, ['email.created'], work)
      }
      const next = async () => {
        await mails.until(1)
        return mails.received.shift()!
      }

      it('are written in the name of the shop, in its time zone, and sent after the commit', async () => {
        await shop.patch('/account', { name: 'Tea & Co', support_email: 'help@example.com', timezone: 'Asia/Tokyo' })
        const { id, email } = await shop.customer()
        const recipient = { to: email, customer: id }

        const queued = await within((context) => queueReceipt(context, recipient, receipt()))
        expect(queued).toMatchObject({ status: 'queued', customer: id })
        const mail = await next()
        expect(mail).toMatchObject({
          subject: 'Your receipt from Tea & Co',
          from: { name: 'Tea & Co', address: 'shop@mail.example' },
          to: [{ address: email }],
          replyTo: [{ address: 'help@example.com' }],
        })
        expect(mail.text).toContain('Date: 13 March 2026')
        expect(mail.html).toContain('Tea &amp; Co')

        await within((context) => queueFailedRenewal(context, recipient, failedRenewal()))
        expect((await next()).subject).toBe('Your payment for Reading Club failed')
        await within((context) => queueInvoice(context, { to: 'else@example.com', customer: null }, invoice()))
        expect(await next()).toMatchObject({
          subject: 'Invoice #00000042 from Tea & Co',
          to: [{ address: 'else@example.com' }],
        })
      })

      it('are never sent when their transaction is rolled back', async () => {
        const { id, email } = await shop.customer()
        const undone = within(async (context) => {
          await queueReceipt(context, { to: email, customer: id }, receipt())
          throw new Error('On second thoughts')
        })
        await expect(undone).rejects.toThrow('On second thoughts')
        await delay(1_500)
        expect(mails.received).toEqual([])
      })
    },
    { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' },
  )
})
