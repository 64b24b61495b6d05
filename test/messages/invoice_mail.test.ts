import { afterAll, expect, it } from 'vitest'
import { startMailServer } from '../support/mail-server.ts'
import { priceForSale } from '../support/sell.ts'
import { onGateEngine } from '../support/shop.ts'

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
  },
  { SMTP_URL: mails.url, MAIL_FROM: 'shop@mail.example' },
)
