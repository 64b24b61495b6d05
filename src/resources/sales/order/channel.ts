import type { Channel } from './order.ts'

interface Origin {
  /** The link, or the price, by whose address the checkout was opened. */
  link: string | null
  invoice: string | null
  /** The subscription whose period is paid. */
  subscription: string | null
  processor: string
}

/** Where an order comes from. Who pays an invoice or a period was asked to, by whatever means the money comes. */
export function channelOf({ link, invoice, subscription, processor }: Origin): Channel {
  if (invoice !== null) return 'invoice'
  if (subscription !== null) return 'renewal'
  if (processor === 'x402') return 'x402'
  if (link === null) return 'api'
  return link.startsWith('cl_') ? 'link' : 'storefront'
}
