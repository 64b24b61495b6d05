import { answerComments } from './answer-comments.ts'
import type { Sale } from './sales.ts'
import { sell } from './sell.ts'
import type { Shopkeeper } from './shopkeeper.ts'

interface On {
  /** Less than 1: counted from the moment of the first start. */
  daysAgo: number
  /** In UTC. */
  hour?: number
}

/**
 * A call of the API. `@name` in its path or body means the id of what an earlier `as` has named, `@name.field` another field; `on` adds fields whose value is
 * an hour of a day: how many days from that of the first start, and the hour in UTC.
 */
export interface Call extends On {
  kind: 'call'
  method?: 'PATCH'
  path: string
  body?: object
  on?: Record<string, [days: number, hour: number]>
  as?: string
}

/** A visitor answers a form, and confirms the address where that is asked for. */
export interface Submission extends On {
  kind: 'submit'
  form: string
  email?: string
  name?: string
  answers?: Record<string, unknown>
  confirmed?: true
}

/** An outside system posts an event to a source. */
export interface PostedEvent extends On {
  kind: 'post_event'
  to: string
  /** The sender's own id of it. */
  id: string
  data: Record<string, unknown>
}

/** One thing that the demo shop or its visitors do besides buying. */
export type Happening =
  | Call
  | Submission
  | PostedEvent
  | (On & { kind: 'pay_formation'; of: string })
  | (On & { kind: 'answer_comments' })

export async function happen(shop: Shopkeeper, happening: Happening | Sale): Promise<void> {
  switch (happening.kind) {
    case 'call':
      return call(shop, happening)
    case 'submit':
      return submit(shop, happening)
    case 'post_event':
      return shop.receive(shop.named(happening.to).id, happening)
    case 'pay_formation':
      return shop.pay(shop.named(happening.of).checkout as string, { card: '4242424242424242', name: 'Nora Kestrel' })
    case 'answer_comments':
      return answerComments(shop)
    default:
      return sell(shop, happening)
  }
}

async function call(shop: Shopkeeper, { method, path, body, on = {}, as }: Call) {
  const moments = Object.entries(on).map(([field, [days, hour]]) => [field, shop.on(days, hour)])
  const answer = await shop.call(method ?? 'POST', path, { ...body, ...Object.fromEntries(moments) })
  if (as) shop.remember(as, answer)
}

async function submit(shop: Shopkeeper, happening: Submission) {
  const { form, email, name, answers = {}, confirmed } = happening
  const { id } = await shop.call('POST', '/form_submissions', { form_id: `@${form}`, email, name, answers })
  if (confirmed) await shop.confirm(id)
}
