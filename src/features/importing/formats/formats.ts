import { nearest } from '../../../contract/values/nearest.ts'
import { listed } from '../../../format/lists.ts'
import type { Format, Source } from './format.ts'
import { plainCustomers } from './plain/customers.ts'
import { plainOrders } from './plain/orders.ts'
import { plainProducts } from './plain/products.ts'
import { plainSubscriptions } from './plain/subscriptions.ts'
import { namesOf } from './reading/reader.ts'
import { type Columns, plain, UnreadableFileError } from './reading/table.ts'
import { shopifyCustomers } from './shopify/customers.ts'
import { shopifyOrders } from './shopify/orders.ts'
import { shopifyProducts } from './shopify/products.ts'
import { stripeCustomers } from './stripe/customers.ts'
import { stripeInvoices } from './stripe/invoices.ts'
import { stripePayments } from './stripe/payments.ts'
import { stripePrices, stripeProducts } from './stripe/products.ts'
import { stripeSubscriptions } from './stripe/subscriptions.ts'

/** The formats of each source in import order: files that others refer to come first. */
export const FORMATS: Record<Source, readonly Format[]> = {
  shopify: [shopifyProducts, shopifyCustomers, shopifyOrders],
  stripe: [stripeProducts, stripePrices, stripeCustomers, stripeSubscriptions, stripePayments, stripeInvoices],
  csv: [plainProducts, plainCustomers, plainSubscriptions, plainOrders],
}

/** Returns the format that fits the columns and reads the most of them. Throws UnreadableFileError. */
export function formatOf(source: Source, columns: Columns): Format {
  const fitting = FORMATS[source].filter((one) => missingOf(one, columns).length === 0)
  const [best] = fitting.toSorted((one, other) => knownOf(other, columns) - knownOf(one, columns))
  if (best) return best
  const [nearestOne] = FORMATS[source].toSorted((one, other) => knownOf(other, columns) - knownOf(one, columns))
  const names = FORMATS[source].map(({ name }) => name)
  const kinds = listed(names, 'or')
  if (!nearestOne || knownOf(nearestOne, columns) === 0)
    throw new UnreadableFileError(`None of its columns is one of a file of ${kinds}. Its first line has to name them.`)
  const missing = missingOf(nearestOne, columns).map((name) => withSimilarName(name, columns))
  throw new UnreadableFileError(
    `It is no file of ${kinds}: it looks most like ${nearestOne.name}, and lacks the column ${listed(missing, 'and')}.`,
  )
}

function withSimilarName(name: string, columns: Columns): string {
  const similar = nearest(name, [...columns.names])
  return similar === null ? name : `${name} (there is ${similar})`
}

function missingOf({ needs }: Format, columns: Columns): string[] {
  return needs
    .map(namesOf)
    .filter((names) => !names.some((name) => columns.has(name)))
    .map(([name = '']) => name)
}

function knownOf({ reads }: Format, columns: Columns): number {
  return reads.filter((column) => namesOf(column).some((name) => columns.has(name))).length
}

/** Returns the columns of a file that are not imported: known ones that this service cannot store, and unknown ones. */
export function leftOutOf(
  { reads, leavesOut = [] }: Format,
  { names }: Columns,
): { known: string[]; unknown: string[] } {
  const taken = new Set(reads.flatMap(namesOf).map(plain))
  const known = new Set(leavesOut.map(plain))
  const left = names.filter((name) => name !== '' && !taken.has(plain(name)))
  return {
    known: left.filter((name) => known.has(plain(name))),
    unknown: left.filter((name) => !known.has(plain(name))),
  }
}
