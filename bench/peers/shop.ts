import type { Answer, Send } from '../load.ts'

/** The work that is measured. */
export const LINES = ['get a product', 'list 20 products', 'create a product with a price', 'paid order'] as const
export type Line = (typeof LINES)[number]

/** Products of each shop before it is measured, each with one price. */
export const PRODUCTS = 40
export const LISTED = 20
export const STOCK = 1_000_000_000
/** The price of every product, in minor units. */
export const PRICE = 2900
export const DESCRIPTION = 'Loose leaves, 100 g in a tin.'

/** A product that runs with the same shop as the others. */
export interface Shop {
  /** The product, its version and its database. */
  name: string
  /** It is compared with Shopwright on the same engine. */
  engine: 'SQLite' | 'PostgreSQL'
  /** Settings that a reader of the figures has to know. */
  settings: string
  port: number
  /** The processes of the product itself. PostgreSQL's are found by `url`. */
  pids: number[]
  /** The PostgreSQL database. */
  url?: string | undefined
  /** Does it once, as its clients do, and looks at each answer. A paid order gives what `isPaid` looks it up by. */
  lines: Record<Line, (send: Send) => Promise<unknown>>
  isPaid(send: Send, order: unknown): Promise<boolean>
  stop(): Promise<unknown>
}

/** Names and addresses that nothing else in the run has. */
let made = 0
const RUN = Date.now().toString(36)
export const newName = () => `Guide ${RUN} ${made++}`
export const newEmail = () => `buyer-${RUN}-${made++}@example.com`

/** Reads an answer, which must be a success. */
export async function json<Body>(answer: Promise<Answer>): Promise<Body> {
  const { status, body } = await answer
  if (status !== 200 && status !== 201) throw new Error(`${status}: ${body.slice(0, 1_000)}`)
  return JSON.parse(body) as Body
}

/** Throws where an answer is not what it has to be. */
export function check(holds: unknown, answer: unknown): asserts holds {
  if (!holds) throw new Error(`A wrong answer: ${JSON.stringify(answer).slice(0, 1_000)}`)
}
