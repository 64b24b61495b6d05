import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawPaper } from '../../src/pages/pdf/draw.ts'
import type { Paper } from '../../src/resources/sales/paper.ts'
import { pay, priceForSale, sell } from '../support/sell.ts'
import { onGateEngine, type Shop } from '../support/shop.ts'
import { signedIn } from '../support/signed-in.ts'
import { accessPath, signedInBuyer } from './buyer.ts'

const hasReader = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** What a PDF says, as a reader of such files has it. */
async function textOf(bytes: Uint8Array): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'paper-'))
  try {
    const file = join(directory, 'paper.pdf')
    await writeFile(file, bytes)
    return execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' })
  } finally {
    await rm(directory, { recursive: true })
  }
}

/** The dashboard as its owner sees it. */
async function signedInDashboard(shop: Shop) {
  const cookie = await signedIn(shop.running, shop.running.app.firstAccount!.userId)
  const { subdomain } = await shop.get('/account')
  return (path: string) => fetch(`${shop.running.url}/dashboard/${subdomain}${path}`, { headers: { cookie } })
}

const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())

function paper(values: Partial<Paper> = {}): Paper {
  return {
    title: 'Receipt',
    number: 'ord_01',
    test: false,
    shop: { name: 'Ada’s Books', lines: ['help@example.com'] },
    buyer: ['Ελένη Παπαδοπούλου', 'Пётр Ильич', 'José Łukasz', '山田', 'a@example.com'],
    facts: [{ label: 'Order', value: 'ord_01' }],
    lines: [{ name: 'Handbook', detail: null, quantity: 1, amount: '$29.00' }],
    totals: [{ label: 'Total paid', value: '$29.00' }],
    notes: [],
    at: '2026-03-13T12:30:00Z',
    ...values,
  }
}

describe.skipIf(!hasReader)('A receipt or an invoice as PDF', () => {
  it('is the same bytes each time, has the names of Europe, and marks what it cannot print', async () => {
    const [one, other] = [await drawPaper(paper()), await drawPaper(paper())]
    expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)
    const text = await textOf(one)
    for (const name of ['Ελένη Παπαδοπούλου', 'Пётр Ильич', 'José Łukasz', '□□', 'Ada’s Books'])
      expect(text).toContain(name)
  })

  it('goes on over pages, and loses no line', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => ({
      ...{ name: `Item ${index} ${'long '.repeat(40)}`, detail: '2 × $1.00', quantity: 2, amount: `$${index}.00` },
    }))
    const text = await textOf(await drawPaper(paper({ lines })))
    for (let index = 0; index < 100; index++) expect(text).toContain(`$${index}.00`)
    const [, pages] = /Page 1 of (\d+)/.exec(text) ?? []
    expect(text.split('\f').length - 1).toBe(Number(pages))
  })

  onGateEngine((shop) => {
    let path: string
    beforeAll(async () => {
      path = await accessPath(shop)
      await shop.patch('/account', {
        name: 'Ада <Books>',
        support_email: 'help@example.com',
        timezone: 'Pacific/Auckland',
      })
    })

    it('has every amount of its order, from the page of the buyer, the checkout and the dashboard', async () => {
      const tea = await priceForSale(shop, { amount: 950 }, { name: 'Tea' })
      const book = await priceForSale(shop, { amount: 2900, name: 'Hardcover' }, { name: 'Handbook' })
      const code = await shop.discount({ code: 'SPRING', percent_off: 10 })
      const items = [{ price_variant: book.id, quantity: 2 }, { price_variant: tea.id }]
      const checkout = await shop.post('/checkouts', {
        ...{ line_items: items, email: 'ada@example.com', discount_code: code.code },
      })
      const paid = await pay(shop, checkout.id)
      const order = await shop.get(`/orders/${paid.order}?expand=customer`)
      await shop.set('orders', order.id, { paid_at: '2026-03-13T12:30:00Z' })
      await shop.post('/refunds', { order: order.id, amount: 1000 })
      const buyer = await signedInBuyer(shop, order.customer)
      const cookie = [...buyer.cookies].map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ')
      const receipt = await fetch(`${shop.running.url}${path}/orders/${order.id}/receipt.pdf`, { headers: { cookie } })
      expect(Object.fromEntries(receipt.headers)).toMatchObject({
        'content-type': 'application/pdf',
        'cache-control': 'private, no-store',
        'content-disposition': expect.stringContaining(`receipt-${order.id}.pdf`),
      })
      const bytes = await bytesOf(receipt)
      const text = (await textOf(bytes)).replaceAll(/ +/g, ' ')
      for (const line of [
        ...['Ада <Books>', 'help@example.com', `Order ${order.id}`, 'Paid on 14 March 2026', 'ada@example.com'],
        ...['Handbook, Hardcover $58.00', '2 × $29.00', 'Tea $9.50', 'Subtotal $67.50', 'Discount SPRING −$6.75'],
        ...['Total paid $60.75', 'Refunded −$10.00', 'Total after refunds $50.75', 'Test: no real money was taken.'],
      ])
        expect(text).toContain(line)
      const ofCheckout = await fetch(`${checkout.url}/receipt.pdf`)
      expect(await textOf(await bytesOf(ofCheckout))).toBe(await textOf(bytes))
      const dashboard = await signedInDashboard(shop)
      const ofDashboard = await dashboard(`/orders/${order.id}/receipt.pdf`)
      expect(await textOf(await bytesOf(ofDashboard))).toBe(await textOf(bytes))
    })

    it('is none of an order that is not paid, or of a checkout that is open', async () => {
      const open = await shop.post('/checkouts', { line_items: [{ price_variant: (await priceForSale(shop)).id }] })
      expect((await fetch(`${open.url}/receipt.pdf`)).status).toBe(404)
      const order = await sell(shop, [{ price_variant: (await priceForSale(shop)).id }])
      await shop.set('orders', order.id, { paid_at: null, status: 'pending' })
      const dashboard = await signedInDashboard(shop)
      expect((await dashboard(`/orders/${order.id}/receipt.pdf`)).status).toBe(404)
    })

    it('of an invoice shows what is due, and who owes it', async () => {
      const price = await priceForSale(shop, { amount: 45000 }, { name: 'Workshop' })
      const due_at = '2098-01-31T00:00:00Z'
      const bill = {
        price_variant: price.id,
        quantity: 2,
        email_address: 'b@example.com',
        customer_name: 'Zoë',
        due_at,
      }
      const invoice = await shop.post('/invoices', { ...bill, description: 'In May' })
      const buyer = await signedInBuyer(shop, { email: 'b@example.com' })
      const home = await buyer.open(path)
      expect(home.html).toContain(`href="${invoice.payment_url}"`)
      const dashboard = await signedInDashboard(shop)
      const text = (await textOf(await bytesOf(await dashboard(`/invoices/${invoice.id}/invoice.pdf`)))).replaceAll(
        / +/g,
        ' ',
      )
      for (const line of [
        `Invoice ${invoice.number}`,
        'Due 31 January 2098',
        'Zoë',
        'Workshop $900.00',
        'Total due $900.00',
        'In May',
      ])
        expect(text).toContain(line)
    })

    it('shows the tax of each rate, both VAT ids, the place and reverse charge', async () => {
      const rates = [
        { country: 'DE', percent: 19, name: 'VAT', inclusive: true },
        { country: 'CA', region: 'QC', percent: 5, name: 'GST' },
        { country: 'CA', region: 'QC', percent: 9.975, name: 'QST' },
      ]
      await shop.patch('/account', { country: 'AT', vat_id: 'ATU13585627', tax_rates: rates })
      const book = await priceForSale(shop, { amount: 1190 }, { name: 'Atlas' })
      const dashboard = await signedInDashboard(shop)
      const read = async (path: string) => (await textOf(await bytesOf(await dashboard(path)))).replaceAll(/ +/g, ' ')
      const receiptAt = async (checkout: Record<string, unknown>) => {
        const { id } = await sell(shop, [{ price_variant: book.id, quantity: 2 }], { checkout })
        return read(`/orders/${id}/receipt.pdf`)
      }
      const expectLines = (text: string, lines: string[]) => {
        for (const line of lines) expect(text).toContain(line)
      }
      expectLines(await receiptAt({ country: 'DE' }), [
        ...['VAT ID ATU13585627', 'Germany', 'Atlas $23.80', 'Subtotal $23.80', 'Includes VAT 19% (Germany) $3.80'],
        ...['Total paid $23.80'],
      ])
      expectLines(await receiptAt({ country: 'CA', region: 'QC' }), [
        ...['Quebec, Canada', 'Subtotal $23.80', 'GST 5% (Quebec, Canada) $1.19', 'QST 9.975% (Quebec, Canada) $2.37'],
        ...['Total paid $27.36'],
      ])
      const exempt = ['Germany', 'VAT ID DE136695976', 'Atlas $20.00', '2 × $10.00']
      const owed = 'Reverse charge: the buyer owes the tax.'
      const business = { country: 'DE', vat_id: 'DE136695976' }
      expectLines(await receiptAt(business), [...exempt, 'Total paid $20.00', owed])
      const bill = {
        price_variant: book.id,
        quantity: 2,
        due_at: '2098-01-31T00:00:00Z',
        email_address: 'c@example.com',
      }
      const invoiceOf = async (place: object) => {
        const { id } = await shop.post('/invoices', { ...bill, ...place })
        return read(`/invoices/${id}/invoice.pdf`)
      }
      expectLines(await invoiceOf(business), [...exempt, 'Total due $20.00', owed])
      expectLines(await invoiceOf({ country: 'CA', region: 'QC' }), ['Subtotal $23.80', 'Total due $27.36'])
      await shop.patch('/account', { country: null, vat_id: null, tax_rates: [] })
    })
  })
})
