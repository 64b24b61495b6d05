import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import type { Row } from '../../process/sales/books.ts'

const RECEIPT = /Thank you for your order|Your subscription was renewed/
const ORDER = /ord_[0-9a-z]{26}/

export interface Receipts {
  /** Ids of the letters that are the receipt of an order. A letter that was handed over again has the same id. */
  ofOrders: Map<string, Set<string>>
  letters: number
  /** Letters that were handed over again, with the same Message-ID. */
  again: number
}

/** What the outboxes of all replicas hold. */
export async function receiptsIn(outboxes: string[]): Promise<Receipts> {
  const ofOrders: Receipts['ofOrders'] = new Map()
  const ids = new Set<string>()
  let files = 0
  for (const outbox of outboxes) {
    for (const file of await readdir(outbox).catch(() => [])) {
      files++
      ids.add(file)
      const { text = '', html = '' } = await PostalMime.parse(await readFile(join(outbox, file)))
      const order = RECEIPT.test(text + html) ? ORDER.exec(text + html)?.[0] : undefined
      if (order !== undefined) ofOrders.set(order, (ofOrders.get(order) ?? new Set()).add(file))
    }
  }
  return { ofOrders, letters: files, again: files - ids.size }
}

/** Each order that was paid has one receipt, and no other has any. */
export function problemsOfReceipts(orders: readonly Row[], { ofOrders }: Receipts): string[] {
  const paid = new Set(
    orders.filter(({ paid_at, amount }) => paid_at !== null && Number(amount) > 0).map(({ id }) => id),
  )
  return [
    ...[...paid]
      .filter((id) => ofOrders.get(id)?.size !== 1)
      .map((id) => `${id} has ${ofOrders.get(id)?.size ?? 0} receipts`),
    ...[...ofOrders.keys()].filter((id) => !paid.has(id)).map((id) => `${id} has a receipt and was not paid`),
  ]
}
