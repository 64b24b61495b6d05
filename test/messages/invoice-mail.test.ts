import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { priceForSale, sell } from '../support/sell.ts'
import { type Body, onGateEngine } from '../support/shop.ts'
import { words } from '../support/words.ts'

const DUE = '2099-01-31T12:00:00Z'
const mails = await startMailServer()
afterAll(() => mails.close())

onGateEngine(
  (shop) => {
    it('An invoice is mailed to its address, with what is billed and where to pay it', async () => {
      const club = await priceForSale(
        shop,
        {
          ...{ name: 'Monthly', amount: 2000, billing_type: 'subscription', recurring_interval: 'month' },
          setup_fee_amount: 500,
        },
        { name: 'Reading Club' },
      )
      const customer = await shop.customer({ name: 'Ada Lovelace' })
      const bill = await shop.post('/invoices', {
        ...{ price_variant: club.id, quantity: 2, due_at: DUE, description: 'As agreed in May' },
        ...{ customer: customer.id, email_address: 'accounting@example.com' },
      })
      await mails.until(1)
      const { subject, to, text, html } = mails.received.shift()!
      expect(subject).toContain(`Invoice ${bill.number}`)
      expect(to).toMatchObject([{ address: 'accounting@example.com' }])
      for (const words of ['Ada Lovelace', 'As agreed in May', '2 × Reading Club, Monthly', '31 January 2099'])
        expect(text).toContain(words)
      for (const amount of ['$40.00', '$5.00', '$45.00']) expect(text).toContain(amount)
      expect(text).toContain(bill.payment_url)
      expect(html).toContain(bill.payment_url)
    })

    describe('A letter of a sale with tax', () => {
      let book: Body
      beforeAll(async () => {
        const rates = [
          { country: 'DE', percent: 19, name: 'VAT', inclusive: true },
          { country: 'CA', region: 'QC', percent: 5, name: 'GST' },
          { country: 'CA', region: 'QC', percent: 9.975, name: 'QST' },
        ]
        await shop.patch('/account', { country: 'AT', vat_id: 'ATU13585627', tax_rates: rates })
        book = await priceForSale(shop, { amount: 1190 }, { name: 'Atlas' })
      })

      /** The words of both parts of the letter that comes next. */
      const read = async (begin: () => Promise<unknown>): Promise<string[]> => {
        const before = mails.received.length
        await begin()
        await mails.until(before + 1)
        const { text, html } = mails.received.at(-1)!
        return [text!.replaceAll(/\s+/g, ' '), words(html!)]
      }
      const sold = (checkout: object) =>
        read(() => sell(shop, [{ price_variant: book.id, quantity: 2 }], { checkout: { ...checkout } }))
      const billed = (place: object) =>
        read(() =>
          shop.post('/invoices', {
            ...{ price_variant: book.id, quantity: 2, due_at: DUE, email_address: 'b@example.com', ...place },
          }),
        )
      const business = { country: 'DE', vat_id: 'DE136695976' }

      it.each([
        ['receipt', sold, 'Total paid'],
        ['invoice', billed, 'Total due'],
      ] as const)('names the tax of each rate, both VAT ids and reverse charge: %s', async (_, letterOf, total) => {
        for (const part of await letterOf({ country: 'DE' }))
          for (const line of ['Germany', 'Includes VAT 19%', '$3.80', 'ATU13585627', '$23.80', total])
            expect(part).toContain(line)
        for (const part of await letterOf({ country: 'CA', region: 'QC' }))
          for (const line of ['Quebec, Canada', 'GST 5%', '$1.19', 'QST 9.975%', '$2.37', '$23.80', '$27.36'])
            expect(part).toContain(line)
        for (const part of await letterOf(business)) {
          for (const line of ['Germany', 'DE136695976', 'ATU13585627', 'Reverse charge: the buyer owes the tax.'])
            expect(part).toContain(line)
          expect(part).toContain('$20.00')
          expect(part).not.toMatch(/VAT 19%|\$23\.80|\$11\.90/)
        }
      })
    })
  },
  { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' },
)
