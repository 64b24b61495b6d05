import type { Page } from 'playwright-core'
import { priceForSale } from '../support/sell.ts'
import type { Body, Shop } from '../support/shop.ts'

/** One state of the page: how a buyer gets to see it, and words that it shows. */
export interface State {
  name: string
  words: string | RegExp
  reach(page: Page): Promise<unknown>
}

const PAY = 'button.primary'

/** Every state that a page in test mode can be in, over one shop. */
export async function statesOf(shop: Shop): Promise<State[]> {
  await shop.patch('/account', { name: 'Ada’s Books', support_email: 'help@adas-books.example' })
  const prices = await pricesOf(shop)
  const { book, pen, club, tip } = prices
  const open = async (items: Body[], more: object = {}): Promise<Body> =>
    shop.post('/checkouts', { line_items: items.map(({ id }) => ({ price_variant: id, quantity: 1 })), ...more })
  const link = await shop.post('/checkout_links', { price_variants: [book.id, pen.id, tip.id] })
  await shop.post('/discounts', { code: 'SPRING25', discount_type: 'percent_off', percent_off: 25 })
  const cancel_url = 'https://adas-books.example/cart'
  const cart = await open([book, pen], { discount_code: 'SPRING25', cancel_url })
  const trial = await open([club])
  const ended = await open([book], { cancel_url })
  await shop.set('checkouts', ended.id, { status: 'expired' })
  const soldOut = await open([prices.last, pen], { cancel_url })
  await shop.patch(`/price_variants/${prices.last.id}`, { quantity_available: 0 })
  const invoice = await shop.post('/invoices', {
    price_variant: book.id,
    email_address: 'grace@example.com',
    customer_name: 'Grace Hopper',
    description: 'Workshop in May',
    due_at: '2099-05-31T00:00:00Z',
  })
  const payBy = async (page: Page, card: string) => {
    const checkout = await open([book, pen], { email: 'ada@example.com', discount_code: 'SPRING25' })
    await page.goto(checkout.url)
    await page.fill('#card', card)
    await page.click(PAY)
  }
  return [
    { name: 'cart', words: 'Total due today', reach: (page) => page.goto(cart.url) },
    { name: 'own-cart', words: 'Update total', reach: (page) => page.goto(link.url) },
    {
      name: 'code',
      words: 'Discount code is not valid.',
      async reach(page) {
        await page.goto(link.url)
        await page.click('summary')
        await page.fill('#code', 'WINTER')
        await page.click('text=Apply')
      },
    },
    {
      name: 'problems',
      words: 'Please check what you entered',
      async reach(page) {
        await page.goto(link.url)
        await page.fill('#email', 'nobody')
        await page.click(PAY)
      },
    },
    {
      name: 'changed',
      words: 'Your order or its terms have changed.',
      async reach(page) {
        await page.goto(link.url)
        await page.fill('#email', 'ada@example.com')
        await page.fill('#card', '4242424242424242')
        // Without an event: the script of the page would bring the total up to date.
        await page.$eval(`#quantity-${book.id}`, (input) => input.setAttribute('value', '2'))
        await page.click(PAY)
      },
    },
    { name: 'trial', words: /Free until .* until canceled\./, reach: (page) => page.goto(trial.url) },
    { name: 'sold-out', words: 'This order cannot be paid yet', reach: (page) => page.goto(soldOut.url) },
    { name: 'invoice', words: 'Invoice #00000001', reach: (page) => page.goto(invoice.payment_url) },
    { name: 'declined', words: 'The card was declined.', reach: (page) => payBy(page, '4000000000000002') },
    { name: 'bank', words: 'Simulated bank', reach: (page) => payBy(page, '4000002500003155') },
    { name: 'paid', words: 'Thank you for your order', reach: (page) => payBy(page, '4242424242424242') },
    { name: 'expired', words: 'This checkout has expired', reach: (page) => page.goto(ended.url) },
    {
      name: 'unknown',
      words: 'Page not found',
      reach: (page) => page.goto(`${shop.running.url}/checkout/co_nothing`),
    },
  ]
}

async function pricesOf(shop: Shop) {
  return {
    book: await priceForSale(shop, { amount: 2900, name: 'Hardcover' }, { name: 'The Ruby Handbook' }),
    pen: await priceForSale(shop, { amount: 1450 }, { name: 'Fountain pen with a fine steel nib' }),
    last: await priceForSale(shop, { amount: 900, quantity_available: 1 }, { name: 'The last print' }),
    tip: await priceForSale(
      shop,
      { amount_type: 'custom', amount: 0, minimum_amount: 500, maximum_amount: 10_000 },
      { name: 'Support the library' },
    ),
    club: await priceForSale(
      shop,
      {
        amount: 2400,
        billing_type: 'subscription',
        recurring_interval: 'month',
        trial_period_days: 14,
        setup_fee_amount: 500,
      },
      { name: 'Readers’ Club' },
    ),
  }
}
