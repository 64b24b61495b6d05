import type { Shopkeeper } from './shopkeeper.ts'

/** One thing that happens in the demo shop after its opening. */
export interface Happening {
  /** Less than 1: counted from the moment of the first start. */
  daysAgo: number
  /** In UTC. */
  hour?: number
  act(shop: Shopkeeper): Promise<unknown>
}

interface CallOptions {
  hour?: number
  method?: 'PATCH'
  /** Fields whose value is an hour of a day: how many days from that of the first start, and the hour in UTC. */
  on?: Record<string, [days: number, hour: number]>
  /** The name by which later happenings refer to the answer. */
  as?: string
}

/** A call of the API. `@name` in its path or body is the id of what an earlier `as` has named, `@name.field` another field. */
export function call(daysAgo: number, path: string, body: object = {}, options: CallOptions = {}): Happening {
  const { hour, method = 'POST', on = {}, as } = options
  const act = async (shop: Shopkeeper) => {
    const moments = Object.entries(on).map(([field, [days, at]]) => [field, shop.on(days, at)])
    const answer = await shop.call(method, path, { ...body, ...Object.fromEntries(moments) })
    if (as) shop.remember(as, answer)
  }
  return { daysAgo, ...(hour !== undefined && { hour }), act }
}
