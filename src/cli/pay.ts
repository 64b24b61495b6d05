import { accountOf } from '../access/account-of.ts'
import type { BuyerCaller } from '../contract/declarations/caller.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import type { Row } from '../contract/declarations/noun.ts'
import { normalizeEmail } from '../contract/values/email.ts'
import { formatMoney } from '../format/money.ts'
import { amountExamples, readAmount } from '../format/money-input.ts'
import type { Context } from '../records/context.ts'
import { requireRow } from '../records/records.ts'
import { UNNAMED } from '../resources/catalog/price-variant/price-variant.ts'
import { buy } from '../resources/sales/checkout/buy.ts'
import { asksAmount } from '../resources/sales/checkout/cart.ts'
import { Checkout } from '../resources/sales/checkout/checkout.ts'
import { requireOpen } from '../resources/sales/checkout/pay.ts'
import { answerSecondStep, stepOf } from '../resources/sales/checkout/progress.ts'
import { type Sheet, sheetOf } from '../resources/sales/checkout/sheet.ts'
import { clientSecret } from '../resources/sales/checkout/show.ts'
import { termsOf } from '../resources/sales/checkout/terms.ts'
import { type Entries, enter } from '../resources/sales/checkout/update.ts'
import { SALE_EVENTS } from '../resources/sales/payment/events.ts'
import { Payment } from '../resources/sales/payment/payment.ts'
import { takesTestCards } from '../resources/sales/payment/provider.ts'
import { readSettings, SettingError } from '../settings/config.ts'
import { CommandError, exitCode, UsageError } from './exit-codes.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'
import { type Shop, withPipeline } from './with-pipeline.ts'

export const USAGE = `Pays a checkout in test mode, like a buyer on its page, whether or not a server is running.

  npm run pay -- CHECKOUT_ID [--card NUMBER] [--email EMAIL] [--name NAME] [--amount AMOUNT] [--refuse]

NUMBER is one of the page's test cards; the default is 4242424242424242, which succeeds. AMOUNT is what the buyer pays when
the price is pay-what-you-want, such as 12.50. If the bank requires an additional authentication step, it is approved, or refused
with --refuse. The order is printed before it is paid; if it changes in between, nothing is charged.`

const OPTIONS = {
  card: 'the number of a test card',
  email: "the buyer's e-mail address",
  name: "the buyer's name",
  amount: 'an amount such as 12.50',
}

type Options = Partial<Record<keyof typeof OPTIONS, string>>
type CheckoutRow = Row<typeof Checkout>

interface PayOptions {
  options: Options
  approves: boolean
}

export async function run(terminal: Terminal): Promise<number> {
  const { words, options, flags } = readOptions(terminal.args, OPTIONS, USAGE, ['refuse'])
  const [checkoutId, ...more] = words
  if (checkoutId === undefined) throw new UsageError('Give the id of the checkout to pay.', USAGE)
  refuseWords(more, USAGE)
  const approves = !flags.has('refuse')
  const end = await withPipeline(readSettings(terminal.environment), async (shop) => {
    const caller = await buyerOf(shop, checkoutId)
    await payAs(shop, terminal, caller, { options, approves })
    return shop.pipeline.visits.look(caller, (context) => paymentResult(context, caller.checkoutId))
  })
  if (end.paid) for (const line of end.lines) terminal.print(line)
  else for (const line of end.lines) terminal.complain(line)
  return exitCode(end.paid ? 'done' : 'refused')
}

async function buyerOf({ database }: Shop, checkoutId: string): Promise<BuyerCaller> {
  const accountId = await accountOf(database.read, 'checkouts', checkoutId)
  if (accountId === null) throw new SettingError(`There is no checkout ${checkoutId}.`)
  return { kind: 'buyer', accountId, checkoutId }
}

/** Pays, including the confirmation step of the bank if there is one. Throws CommandError if the checkout cannot be paid. */
async function payAs(shop: Shop, terminal: Terminal, caller: BuyerCaller, given: PayOptions): Promise<void> {
  const { pipeline } = shop
  const act = <Value>(work: (context: Context, checkout: CheckoutRow) => Promise<Value>) =>
    pipeline.visits.act(caller, SALE_EVENTS, async (context) =>
      work(context, await requireRow(context, Checkout, caller.checkoutId)),
    )
  try {
    const agreed = await act((context, checkout) => readyToPay(context, checkout, given.options))
    if (agreed !== null) {
      for (const line of agreed.lines) terminal.print(line)
      await act((context, checkout) => payAgreed(context, checkout, agreed, given.options))
    }
    await act(async (context, checkout) => {
      const { name } = await stepOf(context, checkout)
      if (name === 'second_step') await answerSecondStep(context, checkout, given.approves)
    })
  } catch (error) {
    throw error instanceof ApiError ? new CommandError('refused', inWords(error)) : error
  }
}

interface ShownOrder {
  agreement: string
  lines: string[]
}

async function readyToPay(context: Context, checkout: CheckoutRow, options: Options): Promise<ShownOrder | null> {
  await requireTestMode(context, checkout)
  if (checkout.paying !== null) return null
  requireOpen(checkout)
  const sheet = await sheetOf(context, await enter(context, checkout, entriesOf(checkout, options)))
  return { agreement: sheet.agreement, lines: orderInWords(sheet) }
}

async function payAgreed(
  context: Context,
  checkout: CheckoutRow,
  { agreement }: ShownOrder,
  { card, name }: Options,
): Promise<void> {
  const payment = await buy(context, checkout, {
    card: card ?? context.services.payments.test.cards[0]!.number,
    agreed: agreement,
    ...(name !== undefined && { name }),
  })
  if (payment === null)
    throw new CommandError('refused', 'The order has just changed. Nothing was charged: look at it, and pay again.')
}

function orderInWords(sheet: Sheet): string[] {
  const { shop, total, currency, items, discount } = sheet
  const names = items.map(({ line: { quantity, product_name, price_variant_name } }) => {
    const variant = price_variant_name === UNNAMED ? '' : ` (${price_variant_name})`
    return `${quantity > 1 ? `${quantity} × ` : ''}${product_name}${variant}`
  })
  const code = discount ? `, with the code ${discount.code}` : ''
  const terms = termsOf(sheet)
  const order = `Paying ${formatMoney(total, currency)} to ${shop.name} for ${names.join(', ')}${code}.`
  return terms === null ? [order] : [order, terms]
}

async function requireTestMode(context: Context, { id, formation }: CheckoutRow): Promise<void> {
  if (await takesTestCards(context, { formation })) return
  const url = `${context.publicUrl}/checkout/${clientSecret(context, id)}`
  throw new SettingError(`This account takes real payments, so a buyer must pay the checkout, at ${url}`)
}

function entriesOf(checkout: CheckoutRow, { email, amount }: Options): Entries {
  return {
    ...(email !== undefined && { email: addressOf(email) }),
    ...(amount !== undefined && { amounts: amountsOf(checkout, amount) }),
  }
}

function addressOf(text: string): string {
  const { address, problem } = normalizeEmail(text)
  if (problem !== null) throw new UsageError(`--email ${problem}: ${text}`)
  return address
}

/** Returns the amount for each line with a pay-what-you-want price, by price id. */
function amountsOf(checkout: CheckoutRow, text: string): Record<string, number> {
  const amount = readAmount(text, checkout.currency)
  if (amount === null)
    throw new UsageError(`--amount needs an amount such as ${amountExamples(checkout.currency)}, not "${text}".`)
  const lines = checkout.lines.filter((line) => asksAmount(checkout, line))
  if (lines.length === 0) throw new SettingError('This checkout has no pay-what-you-want price; leave out --amount.')
  return Object.fromEntries(lines.map((line) => [line.price_variant, amount]))
}

function inWords({ message, details }: ApiError): string {
  const errors = details.errors ?? {}
  // The payment provider's message is a complete sentence.
  if (errors.card) return errors.card[0]!
  const problems = Object.entries(errors).map(([field, [problem]]) => {
    const option = field in OPTIONS ? ` (--${field})` : ''
    return `${field}${option} ${problem}`
  })
  return problems.length === 0 ? message : `The checkout cannot be paid yet: ${problems.join('; ')}.`
}

async function paymentResult(context: Context, checkoutId: string): Promise<{ paid: boolean; lines: string[] }> {
  const checkout = await requireRow(context, Checkout, checkoutId)
  const step = await stepOf(context, checkout)
  const { status, order, subscription, email, total, currency } = checkout
  const amount = formatMoney(total, currency)
  if (status === 'complete') {
    const lines = [`${email} paid ${amount}. The order is ${order}.`]
    if (subscription !== null) lines.push(`The subscription is ${subscription}.`)
    return { paid: true, lines }
  }
  if (step.name === 'open' && step.failure !== null)
    return { paid: false, lines: [`${step.failure} Nothing was charged, and the checkout is still open.`] }
  return { paid: false, lines: [await unpaidLine(context, checkout)] }
}

async function unpaidLine(context: Context, { status, paying }: CheckoutRow): Promise<string> {
  if (paying === null) return `The checkout is ${status}. Nothing was charged.`
  return `The payment is ${(await requireRow(context, Payment, paying)).status}.`
}
