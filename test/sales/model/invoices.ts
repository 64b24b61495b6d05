import { cartOf, lineOf } from './carts.ts'
import { open } from './checkouts.ts'
import { close } from './closing.ts'
import { findOrMake } from './customers.ts'
import type { Minutes } from './moments.ts'
import { fail } from './payments.ts'
import { type Country, type Invoice, type Line, type Price, refuse, type State } from './state.ts'

export interface Bill {
  price: Price
  quantity: number
  email: string
  country: Country
  due: Minutes
}

export function bill(state: State, { price, quantity, email, country, due }: Bill): void {
  const wrong = [...(isBillable(price) ? [] : ['price_variant']), ...(due <= state.now ? ['due_at'] : [])]
  if (wrong.length > 0) refuse(...wrong)
  const isNew = !state.customers.some((one) => one.email === email)
  const customer = findOrMake(state, email)
  if (isNew) state.events.push(`lead.created ${email}`)
  const line = billedLine(price, quantity)
  const rate = state.rates[country] ?? null
  const { total: amount, tax } = cartOf([line], null, rate)
  const place = state.invoices.length + 1
  const invoice: Invoice = {
    ...{ name: `invoice ${place}`, number: `#${String(place).padStart(8, '0')}`, status: 'open', customer, line, due },
    ...{ rate, amount, tax, paid: null, voided: null, order: null, paying: null },
  }
  state.invoices.push(invoice)
  state.events.push(`invoice.created ${invoice.name}`)
}

function isBillable({ archived, kind, preset }: Price): boolean {
  return !archived && kind !== 'free' && (kind === 'fixed' || (preset ?? 0) > 0)
}

/** Without a trial, and with nothing left to the buyer. */
function billedLine(price: Price, quantity: number): Line {
  const line = lineOf({ price, quantity, amount: price.kind === 'custom' ? price.preset : null })
  return { ...line, terms: line.terms && { ...line.terms, trialDays: null } }
}

export function openInvoice(state: State, invoice: Invoice): void {
  if (invoice.status === 'paid' || invoice.status === 'void') refuse('invoice')
  abandonOthers(state, invoice)
  const { customer, line, rate } = invoice
  open(state, { cart: cartOf([line], null, rate), email: customer.email, customer, invoice })
}

function abandonOthers(state: State, invoice: Invoice): void {
  for (const checkout of state.checkouts)
    if (checkout.invoice === invoice && checkout.status === 'open' && checkout.paying === null)
      close(state, checkout, 'abandoned')
}

export function voidInvoice(state: State, invoice: Invoice): void {
  if (invoice.status === 'void') return
  if (invoice.paying !== null) fail(state, invoice.paying, { counts: false })
  abandonOthers(state, invoice)
  Object.assign(invoice, { status: 'void', voided: state.now })
  state.events.push(`invoice.voided ${invoice.name}`)
}
