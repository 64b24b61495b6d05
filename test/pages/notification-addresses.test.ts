import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { pruneOld } from '../../src/jobs/prune.ts'
import { addMember } from '../../src/resources/company/account/life/members.ts'
import { startMailServer } from '../support/mail-server.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { Visitor } from './visitor.ts'

const mails = await startMailServer()
afterAll(() => mails.close())
const SETTINGS = { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' }

let made = 0
const address = () => `dashboard${++made}@example.com`

describe('An address that a form notifies', () => {
  onGateEngine((shop) => {
    beforeEach(() => {
      mails.received.length = 0
    })
    const makeForm = async (...notified: string[]): Promise<Body> => {
      const form = await shop.post('/forms', { name: 'Questions', notification_emails: notified })
      await shop.settled()
      return form
    }
    const submit = async (form: Body) => {
      await shop.post('/form_submissions', { form_id: form.id, email: 'visitor@example.com' })
      await shop.settled()
    }
    const subjects = () => mails.received.map(({ to, subject }) => [to![0]!.address, subject])
    const linkIn = (index = 0) => /http\S+\/forms\/addresses\/\S+/.exec(mails.received[index]!.text!)![0]
    const unconfirmed = async ({ id }: Body) => (await shop.get(`/forms/${id}`)).unconfirmed_notification_emails
    const expire = async (to: string) => {
      const rows = shop.db.selectFrom('notification_addresses').select('id').where('address', '=', to)
      for (const { id } of await rows.execute())
        await shop.set('notification_addresses', id, { expires_at: '2026-01-01T00:00:00Z' })
    }

    it('gets one letter with a link, and nothing else until its owner has pressed the button', async () => {
      const dashboard = address()
      const form = await makeForm(dashboard)
      expect(subjects()).toEqual([[dashboard, 'Receive form submissions from My Shop?']])
      await submit(form)
      await shop.patch(`/forms/${form.id}`, { notification_emails: [] })
      await shop.patch(`/forms/${form.id}`, { notification_emails: [dashboard] })
      await makeForm(dashboard)
      expect([await unconfirmed(form), mails.received.length]).toEqual([[dashboard], 1])

      const visitor = new Visitor(shop.running.url)
      const page = await visitor.open(linkIn())
      expect(page.text).toContain(`My Shop wants to notify ${dashboard} of each form submission.`)
      expect(await unconfirmed(form)).toEqual([dashboard])
      expect((await visitor.press(page, 'confirm')).text).toContain('The address is confirmed')
      expect(await unconfirmed(form)).toEqual([])
      await submit(form)
      expect(subjects().slice(1)).toEqual([[dashboard, 'New submission: Questions']])
      expect((await visitor.open(linkIn())).text).toContain('The address is confirmed')
    })

    it('agrees for one account alone', async () => {
      const dashboard = address()
      await makeForm(dashboard)
      const visitor = new Visitor(shop.running.url)
      await visitor.press(await visitor.open(linkIn()), 'confirm')
      const neighbour = shop.as(await shop.running.another(`notifier-${Date.now()}`))
      const theirs = await neighbour.post('/forms', { name: 'Theirs', notification_emails: [dashboard] })
      expect(theirs.unconfirmed_notification_emails).toEqual([dashboard])
      await shop.settled()
    })

    it('needs no link where it is the verified address of a member', async () => {
      const email = address()
      const { userId } = await addMember(shop.running.app.database, shop.accountId, {
        name: 'Ada',
        email,
        role: 'member',
      })
      await shop.set('users', userId, { email_verified: 1 })
      const form = await makeForm(email)
      expect([form.unconfirmed_notification_emails, mails.received.length]).toEqual([[], 0])
      await submit(form)
      expect(subjects()).toEqual([[email, 'New submission: Questions']])
      await shop.set('users', userId, { email_verified: 0 })
      expect(await unconfirmed(form)).toEqual([email])
    })

    it('is asked by the next submission where an earlier version wrote to it without asking', async () => {
      const dashboard = address()
      const form = await makeForm()
      await shop.set('forms', form.id, { notification_emails: JSON.stringify([dashboard]) })
      await submit(form)
      await submit(form)
      expect(subjects()).toEqual([[dashboard, 'Receive form submissions from My Shop?']])
    })

    it('has a link for a week, after which the next submission brings another', async () => {
      const dashboard = address()
      const form = await makeForm(dashboard)
      const old = linkIn()
      await expire(dashboard)
      const visitor = new Visitor(shop.running.url)
      const expired = await visitor.open(old)
      expect([expired.status, expired.text.includes('The link has expired')]).toEqual([410, true])
      expect((await visitor.open(old, { method: 'POST' })).status).toBe(303)
      expect(await unconfirmed(form)).toEqual([dashboard])
      await submit(form)
      expect([subjects().length, linkIn(1) === old]).toEqual([2, false])
      await visitor.press(await visitor.open(linkIn(1)), 'confirm')
      expect(await unconfirmed(form)).toEqual([])
      await pruneOld(shop.running.app.database, { webhookDays: 30 })
      expect(await unconfirmed(form)).toEqual([])
    })

    it('is confirmed by no link that was changed, and by that of no other address', async () => {
      const dashboard = address()
      const form = await makeForm(dashboard)
      const link = linkIn()
      const wrong = `${link.slice(0, -1)}${link.endsWith('a') ? 'b' : 'a'}`
      expect((await new Visitor(shop.running.url).open(wrong, { method: 'POST' })).status).toBe(404)
      expect(await unconfirmed(form)).toEqual([dashboard])
    })
  }, SETTINGS)
})
