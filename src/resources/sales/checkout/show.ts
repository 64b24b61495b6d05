import { inOnePiece } from '../../../contract/values/values.ts'
import { compileForIds } from '../../../database/compile-once.ts'
import type { Context } from '../../../records/context.ts'
import { hasRowCache } from '../../../records/memoize.ts'
import { findRows } from '../../../records/records.ts'
import type { Derived } from '../../../records/resource.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { requirementsOf, type X402Wallet, x402Wallet } from '../../company/x402-configuration/requirements.ts'
import type { X402Requirements } from '../../company/x402-configuration/x402-configuration.ts'
import { idOfSecret, secretOf } from '../secret.ts'
import { Checkout, type CheckoutRow } from './checkout.ts'
import { isFee } from './close.ts'
import { NOT_FROM_CATALOG, type PricedLine } from './line.ts'
import { placedOf } from './place.ts'
import { hasAllAmounts } from './price.ts'
import type { Cart } from './sheet.ts'

export async function deriveCheckouts(rows: CheckoutRow[], context: Context): Promise<Derived[]> {
  const wallet = rows.some(isPayableInDollars) ? await x402Wallet(context) : null
  const placed = wallet ? await placedOf(context, rows.filter(isPayableInDollars)) : new Set()
  return rows.map((row) => {
    const client_secret = clientSecret(context, row.id)
    const url = addressOf(context, client_secret)
    return { client_secret, url, x402: wallet && placed.has(row) ? x402Of(wallet, url, row) : null }
  })
}

function addressOf({ publicUrl }: Context, clientSecret: string): string {
  return inOnePiece(publicUrl, '/checkout/', clientSecret)
}

/** Returns the x402 terms that a client signs to pay a checkout, or null if the checkout cannot be paid in USDC. */
export function x402RequirementsOf(context: Context, row: CheckoutRow): Promise<X402Requirements | null> {
  return x402RequirementsAt(context, row, addressOf(context, clientSecret(context, row.id)))
}

/** Like `x402RequirementsOf`, but for a cart that is paid at `url`. */
export async function x402RequirementsAt(context: Context, cart: Cart, url: string): Promise<X402Requirements | null> {
  const wallet = isPayableInDollars(cart) ? await x402Wallet(context) : null
  if (!wallet || !(await placedOf(context, [cart])).has(cart)) return null
  return x402Of(wallet, url, cart)
}

/** Whether a cart can be paid in USDC. A service fee cannot, because the wallet belongs to the account. */
export function isInDollars(cart: Cart): boolean {
  const { mode, currency, total, lines } = cart
  return !isFee(cart) && mode === 'payment' && currency === 'usd' && total > 0 && hasAllAmounts(lines)
}

function isPayableInDollars(cart: Cart): boolean {
  return cart.status === 'open' && cart.paying === null && isInDollars(cart)
}

function x402Of(wallet: X402Wallet, url: string, { lines, total }: Cart): X402Requirements {
  return requirementsOf(wallet, { url, description: lines[0]!.product_name, amount: total })
}

type ShownLine = Omit<PricedLine, 'price_variant' | 'product'> & {
  id: string
  price_variant: string | null
  product: string | null
}

function shownLine(line: PricedLine): ShownLine {
  const { price_variant, product } = line
  const amount_tax = line.amount_tax ?? 0
  if (price_variant === NOT_FROM_CATALOG) return { ...line, amount_tax, id: 'fee', price_variant: null, product: null }
  return { ...line, amount_tax, id: price_variant, price_variant, product }
}

export async function itemsByCheckout(checkoutIds: string[], context: Context): Promise<Map<string, ShownLine[]>> {
  const checkouts = hasRowCache(context) ? await findRows(context, Checkout, checkoutIds) : null
  const rows = checkouts ? [...checkouts.values()] : await linesOf(context, checkoutIds)
  return new Map(rows.map(({ id, lines }) => [id, lines.map(shownLine)]))
}

/** Reads only the column with the lines, because a list has already read the other columns. */
async function linesOf({ db, accountId }: Context, checkoutIds: string[]) {
  const rows = await linesOfCheckouts(db, accountId, checkoutIds)
  return rows.map(({ id, lines }) => ({ id, lines: JSON.parse(lines) as PricedLine[] }))
}

const linesOfCheckouts = compileForIds((db: Context['db'], accountId, checkoutIds) =>
  rowsOf({ db, accountId }, 'checkouts').select(['id', 'lines']).where('id', 'in', checkoutIds),
)

type WithVault = Parameters<typeof secretOf>[0]

/** Returns the secret that allows its holder to pay a checkout. */
export function clientSecret(context: WithVault, checkoutId: string): string {
  return secretOf(context, Checkout, checkoutId)
}

/** Returns null if the secret is wrong. */
export function checkoutIdOf(context: WithVault, secret: string): string | null {
  return idOfSecret(context, Checkout, secret)
}
