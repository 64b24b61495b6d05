import type { Answer, Send } from '../load.ts'

export const LINES = ['get a product', 'list 20 products', 'create a product with a price', 'paid order'] as const
export type Line = (typeof LINES)[number]

/** The number of products in each shop before the measurement. Each has one price. */
export const PRODUCTS = 40
export const LISTED = 20
export const STOCK = 1_000_000_000
/** The price of every product, in minor units. */
export const PRICE = 2900
export const DESCRIPTION = 'Loose leaves, 100 g in a tin.'

/** A running product of this comparison. All have the same shop. */
export interface Shop {
  /** The name of the product, its version and its database. */
  name: string
  /** Shopwright is compared on the same engine. */
  engine: 'SQLite' | 'PostgreSQL'
  /** The settings of the product that readers of the results need to know. */
  settings: string
  port: number
  /** The process ids of the product itself. PostgreSQL's processes are found by `url`. */
  pids: number[]
  url?: string | undefined
  /** Functions that perform an operation once, as clients do, and check the responses. A paid order returns the argument for `isPaid`. */
  lines: Record<Line, (send: Send) => Promise<unknown>>
  isPaid(send: Send, order: unknown): Promise<boolean>
  stop(): Promise<unknown>
}

/** Counts names and addresses, so that they are unique in the run. */
let made = 0
const RUN = Date.now().toString(36)
export const newName = () => `Guide ${RUN} ${made++}`
export const newEmail = () => `buyer-${RUN}-${made++}@example.com`

/** Parses a response. Throws unless it is a success. */
export async function json<Body>(answer: Promise<Answer>): Promise<Body> {
  const { status, body } = await answer
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${body.slice(0, 1_000)}`)
  return JSON.parse(body) as Body
}

export function check(holds: unknown, answer: unknown): asserts holds {
  if (!holds) throw new Error(`A wrong answer: ${JSON.stringify(answer).slice(0, 1_000)}`)
}
