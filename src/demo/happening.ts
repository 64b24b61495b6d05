import type { Shopkeeper } from './shopkeeper.ts'

/** An event in the history of the demo shop. */
export interface Happening {
  /** Below 1, it is counted back from the exact time of the first start. */
  daysAgo: number
  /** The hour in UTC. */
  hour?: number
  act(shop: Shopkeeper): Promise<unknown>
}

interface CallOptions {
  hour?: number
  method?: 'PATCH'
  /** Fields that hold a time: the days after the first start (negative for before) and the hour in UTC. */
  on?: Record<string, [days: number, hour: number]>
  /** The name under which later calls can refer to the response. */
  as?: string
}

/** Calls the API. In the path and body, `@name` becomes the id of the response stored `as` that name, and `@name.field` its field. */
export function call(daysAgo: number, path: string, body: object = {}, options: CallOptions = {}): Happening {
  const { hour, method = 'POST', on = {}, as } = options
  const act = async (shop: Shopkeeper) => {
    const moments = Object.entries(on).map(([field, [days, at]]) => [field, shop.on(days, at)])
    const answer = await shop.call(method, path, { ...body, ...Object.fromEntries(moments) })
    if (as) shop.remember(as, answer)
  }
  return { daysAgo, ...(hour !== undefined && { hour }), act }
}
