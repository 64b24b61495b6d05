import { accountOf } from '../access/account-of.ts'
import { readSettings, SettingError } from '../config.ts'
import type { BuyerCaller } from '../contract/caller.ts'
import { normalizeEmail } from '../contract/email.ts'
import { ApiError } from '../contract/errors.ts'
import { amountExamples, readAmount } from '../contract/money-input.ts'
import { formatMoney } from '../contract/money-text.ts'
import type { Row } from '../contract/noun.ts'
import type { Context } from '../records/context.ts'
import { requireRow } from '../records/records.ts'
import { type Buying, buy } from '../resources/sales/checkout/buy.ts'
import { asksAmount } from '../resources/sales/checkout/cart.ts'
import { Checkout } from '../resources/sales/checkout/checkout.ts'
import { stepOf } from '../resources/sales/checkout/progress.ts'
import { answerSecondStep } from '../resources/sales/checkout/second_step.ts'
import { clientSecret } from '../resources/sales/checkout/secret.ts'
import { SALE_EVENTS } from '../resources/sales/payment/events.ts'
import { Payment } from '../resources/sales/payment/payment.ts'
import { providerOf } from '../resources/sales/payment/provider.ts'
import { CommandError, exitCode, UsageError } from './exit-codes.ts'
import { readOptions, refuseWords } from './options.ts'
import type { Terminal } from './terminal.ts'
import { type Shop, withPipeline } from './with-pipeline.ts'

export const USAGE = `Pays a checkout in test mode, like a buyer on its page, whether or not a server is running.

  npm run pay -- CHECKOUT_ID [--card NUMBER] [--email EMAIL] [--name NAME] [--amount AMOUNT] [--refuse]

NUMBER is one of the page's test cards; the default is 4242424242424242, which succeeds. AMOUNT is what the buyer pays when
the price is pay-what-you-want, such as 12.50. If the bank requires an additional authentication step, it is approved, or refused
with --refuse.`

const OPTIONS = {
  card: 'the number of a test card',
  email: "the buyer's e-mail address",
  name: "the buyer's name",
  amount: 'an amount such as 12.50',
}

type Options = Partial<Record<keyof typeof OPTIONS, string>>
type CheckoutRow = Row<typeof Checkout>

/** `pay CHECKOUT_ID`. */
export async function pay(terminal: Terminal): Promise<number> {
  const { words, options, flags } = readOptions(terminal.args, OPTIONS, USAGE, ['refuse'])
  const [checkoutId, ...more] = words
  if (checkoutId === undefined) throw new UsageError('Give the id of the checkout to pay.', USAGE)
  refuseWords(more, USAGE)
  const approves = !flags.has('refuse')
  const end = await withPipeline(readSettings(terminal.environment), async (shop) => {
    const caller = await buyerOf(shop, checkoutId)
    await payAs(shop, caller, options, approves)
    return shop.pipeline.visits.look(caller, (context) => whatHappened(context, caller.checkoutId))
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

/** Pays, and answers at the bank where that is asked. Throws SettingError over what cannot be paid as it is. */
async function payAs({ pipeline }: Shop, caller: BuyerCaller, options: Options, approves: boolean): Promise<void> {
  const act = (work: (context: Context, checkout: CheckoutRow) => Promise<unknown>) =>
    pipeline.visits.act(caller, SALE_EVENTS, async (context) =>
      work(context, await requireRow(context, Checkout, caller.checkoutId)),
    )
  try {
    await act(async (context, checkout) => {
      requireTestMode(context, checkout)
      if (checkout.paying === null) await buy(context, checkout, buyingOf(context, checkout, options))
    })
    await act(async (context, checkout) => {
      const { name } = await stepOf(context, checkout)
      if (name === 'second_step') await answerSecondStep(context, checkout, approves)
    })
  } catch (error) {
    throw error instanceof ApiError ? new CommandError('refused', inWords(error)) : error
  }
}

function requireTestMode(context: Context, { id }: CheckoutRow): void {
  if (providerOf(context).name === context.services.payments.test.name) return
  const url = `${context.publicUrl}/checkout/${clientSecret(context, id)}`
  throw new SettingError(`This account takes real payments, so a buyer must pay the checkout, at ${url}`)
}

function buyingOf(context: Context, checkout: CheckoutRow, { card, email, name, amount }: Options): Buying {
  return {
    card: card ?? context.services.payments.test.cards[0]!.number,
    ...(email !== undefined && { email: addressOf(email) }),
    ...(name !== undefined && { name }),
    ...(amount !== undefined && { amounts: amountsOf(checkout, amount) }),
  }
}

function addressOf(text: string): string {
  const { address, problem } = normalizeEmail(text)
  if (problem !== null) throw new UsageError(`--email ${problem}: ${text}`)
  return address
}

/** The same amount for every line whose price the buyer names. */
function amountsOf(checkout: CheckoutRow, text: string): Record<string, number> {
  const amount = readAmount(text, checkout.currency)
  if (amount === null)
    throw new UsageError(`--amount needs an amount such as ${amountExamples(checkout.currency)}, not "${text}".`)
  const lines = checkout.lines.filter((line) => asksAmount(checkout, line))
  if (lines.length === 0) throw new SettingError('This checkout has no pay-what-you-want price; leave out --amount.')
  return Object.fromEntries(lines.map((line) => [line.price_variant, amount]))
}

/** Every refusal, with the option that mends it. */
function inWords({ message, details }: ApiError): string {
  const errors = details.errors ?? {}
  // The provider says it in a whole sentence.
  if (errors.card) return errors.card[0]!
  const problems = Object.entries(errors).map(([field, [problem]]) => {
    const option = field in OPTIONS ? ` (--${field})` : ''
    return `${field}${option} ${problem}`
  })
  return problems.length === 0 ? message : `The checkout cannot be paid yet: ${problems.join('; ')}.`
}

interface End {
  paid: boolean
  lines: string[]
}

async function whatHappened(context: Context, checkoutId: string): Promise<End> {
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
  return { paid: false, lines: [await unfinished(context, checkout)] }
}

async function unfinished(context: Context, { status, paying }: CheckoutRow): Promise<string> {
  if (paying === null) return `The checkout is ${status}. Nothing was charged.`
  return `The payment is ${(await requireRow(context, Payment, paying)).status}.`
}
