import { afterAll, describe, expect, it } from 'vitest'
import { type Color, contrast, READABLE } from '../../src/contract/values/colors.ts'
import type { Context } from '../../src/records/context.ts'
import * as letters from '../../src/resources/messages/email/service-mail.ts'
import { startMailServer } from '../support/mail-server.ts'
import { signIn } from '../support/person.ts'
import { onGateEngine } from '../support/shop.ts'
import { failedRenewal, invoice, receipt, renewal } from './letters.ts'

const mails = await startMailServer()
afterAll(() => mails.close())

const BASE = '/dashboard/my-shop'
const AT = '2026-04-13T12:30:00Z'
const REFUND = { order: 'ord_1', name: 'Tea', amount: 500, currency: 'usd', refundedAt: AT, isWhole: true }
const COMING = { product: 'Club', endsTrial: false, amount: 900, currency: 'usd', chargedAt: AT, intervalCount: 1 }
const CANCELED = { product: 'Club', endsAt: AT, isOver: false, isUnpaid: false, inTrial: false }
const PURCHASE = { name: 'Tea', amount: 500, currency: 'usd', payUrl: 'https://shop.example/pay', until: AT }
const PAGE = 'https://shop.example/orders'

type Write = (context: Context, recipient: letters.Recipient) => Promise<unknown>

const TO_BUYERS: [string, Write][] = [
  ['receipt', (context, to) => letters.queueReceipt(context, to, receipt({ renewal: renewal() }))],
  ['failed renewal', (context, to) => letters.queueFailedRenewal(context, to, failedRenewal())],
  ['failed purchase', (context, to) => letters.queueFailedOrder(context, to, PURCHASE)],
  ['refund', (context, to) => letters.queueRefunded(context, to, REFUND)],
  ['coming renewal', (context, to) => letters.queueComingCharge(context, to, { ...COMING, interval: 'year' })],
  ['cancellation', (context, to) => letters.queueCanceled(context, to, CANCELED)],
  ['invoice', (context, to) => letters.queueInvoice(context, to, invoice())],
  ['change of address', (context, to) => letters.queueAddressChanged(context, to, { email: 'new@example.com' })],
]

/** The button of a letter and its words, on light and on dark screens. */
function buttonsIn(html: string): { light: Color[]; dark: Color[] } {
  const [, button, words] = /class="button" bgcolor="(#\w{6})"[\s\S]*?;color:(#\w{6});/.exec(html) ?? []
  const [, dark, darkWords] = /\.button \{ background: (#\w{6}).*\.button a \{ color: (#\w{6})/.exec(html) ?? []
  return { light: [button as Color, words as Color], dark: [dark as Color, darkWords as Color] }
}

describe('Letters in the look of the shop', () => {
  onGateEngine(
    (shop) => {
      const within = <Result>(work: (context: Context) => Promise<Result>): Promise<Result> => {
        const { pipeline, database } = shop.running.app
        const caller = { kind: 'job', accountId: shop.accountId, jobId: 'job_of_a_test' } as const
        return pipeline.contexts.part(database, caller, ['email.created'], work)
      }
      const sent = async (write: Write, customer: string | null, to: string) => {
        await within((context) => write(context, { to, customer }))
        await mails.until(1)
        return mails.received.shift()!
      }
      const brand = (branding: object) => shop.patch('/account', { branding })
      const logoIn = (html: string) => /<img src="([^"]*)"/.exec(html)?.[1] ?? null

      it.each(TO_BUYERS)('the %s has the logo, the font and the page of purchases', async (_name, write) => {
        const logo_file = await shop.file({ filename: 'logo.png', detected_type: 'image/png' })
        await brand({ color: '#f2b705', font: 'serif', logo_file })
        const { id, email } = await shop.customer()
        const { html, text } = await sent(write, id, email)
        const { file_url } = await shop.get(`/files/${logo_file}`)
        expect([logoIn(html!), new URL(file_url).pathname]).toEqual([file_url, expect.stringMatching(/^\/files\//)])
        expect(html).toContain('font-family:Charter,')
        const { storefront_url } = await shop.get('/account')
        const page = `${storefront_url}/access`
        expect(html).toContain(`<a class="link" href="${page}"`)
        expect(text).toContain(`Your orders, receipts and subscriptions: ${page}\n`)
        expect([text, html].join()).not.toMatch(/undefined|null/)
      })

      it('have the color of the shop on buttons, in shades that can be read on light and dark screens', async () => {
        const { id, email } = await shop.customer()
        for (const color of ['#f2b705', '#0a0a0a', '#ffffff', '#d6336c', '#767676'] as const) {
          await brand({ color, logo_file: null })
          const { html } = await sent(TO_BUYERS[1]![1], id, email)
          const { light, dark } = buttonsIn(html!)
          expect([light[0], logoIn(html!)]).toEqual([color, null])
          const [, link] = /class="link"[^>]*style="color:(#\w{6})/.exec(html!)!
          const pairs: [Color, Color][] = [
            light as [Color, Color],
            dark as [Color, Color],
            [link as Color, '#f2f4f7'],
            [/\.link \{ color: (#\w{6})/.exec(html!)![1] as Color, '#14181f'],
          ]
          for (const [words, paper] of pairs)
            expect([color, words, paper, contrast(words, paper) >= READABLE]).toEqual([color, words, paper, true])
        }
      })

      it('leave the plain text as it is, and show no logo that mail clients cannot', async () => {
        const { id, email } = await shop.customer()
        await brand({ color: null, font: 'system', logo_file: null })
        const plain = await sent(TO_BUYERS[3]![1], id, email)
        const logo_file = await shop.file({ content_type: 'image/avif', detected_type: 'image/avif' })
        await brand({ color: '#d6336c', font: 'mono', logo_file })
        const branded = await sent(TO_BUYERS[3]![1], id, email)
        expect(branded.text).toBe(plain.text)
        expect([logoIn(branded.html!), logoIn(plain.html!)]).toEqual([null, null])
      })

      it('are those to buyers, and none of those to the team; a stranger is led to no purchases', async () => {
        await brand({ color: '#d6336c' })
        const toTeam = await sent(
          (context, to) =>
            letters.queueTeamNotice(context, to, {
              letter: 'sales',
              count: 1,
              most: 9,
              sums: [],
              latest: [],
              url: PAGE,
            }),
          null,
          'me@example.com',
        )
        expect(toTeam.html).not.toMatch(/d6336c|\/access/)
        const toStranger = await sent(TO_BUYERS[6]![1], null, 'else@example.com')
        expect([toStranger.html!.includes('#d6336c'), toStranger.text!.includes('/access')]).toEqual([true, false])
      })

      it('include the link to all purchases, which is asked for by its reader', async () => {
        const logo_file = await shop.file({ filename: 'logo.png', detected_type: 'image/png' })
        await brand({ color: '#d6336c', logo_file })
        const { email } = await shop.customer()
        const { storefront_url } = await shop.get('/account')
        const body = new URLSearchParams({ email })
        const page = `${shop.running.url}${new URL(storefront_url).pathname}/access`
        expect((await fetch(page, { method: 'POST', body, redirect: 'manual' })).status).toBeLessThan(400)
        await mails.until(1)
        const { html } = mails.received.shift()!
        expect([buttonsIn(html!).light[0], logoIn(html!)]).toEqual(['#d6336c', expect.stringContaining(logo_file)])
      })

      it('are previewed as they are sent, with the logo', async () => {
        const logo_file = await shop.file({ filename: 'logo.png', detected_type: 'image/png' })
        await brand({ color: '#d6336c', logo_file })
        const person = await signIn(shop.running)
        const buyers = [
          'receipt',
          'invoice',
          'failed_payment',
          'payment_again',
          'refund',
          'renewal',
          'trial_start',
          'trial',
        ]
        for (const letter of [...buyers, 'cancellation', 'sales', 'plans']) {
          const page = await person.get(`${BASE}/settings/letters/html/${letter}`)
          const isForBuyers = !['sales', 'plans'].includes(letter)
          expect([letter, page.html.includes(logo_file), page.html.includes('/access')]).toEqual([
            letter,
            isForBuyers,
            isForBuyers,
          ])
          expect(page.headers.get('content-security-policy')).toContain(`img-src data: ${shop.running.url}/files/;`)
        }
      })
    },
    { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' },
  )
})
