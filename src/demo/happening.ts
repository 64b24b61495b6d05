import type { Shopkeeper } from './shopkeeper.ts'

export interface Happening {
  /** The number of days before the shop was created. A value below 1 is subtracted from the exact time of its creation. */
  daysAgo: number
  /** In UTC. */
  hour?: number
  act(shop: Shopkeeper): Promise<unknown>
}

interface CallOptions {
  hour?: number
  method?: 'PATCH'
  /** Body fields that hold a time, given as days after the first start (negative for before) and the hour in UTC. */
  on?: Record<string, [days: number, hour: number]>
  /** The name under which later calls can refer to the response. */
  as?: string
}

/** Calls the API. In the path and body, `@name` becomes the id of the response stored as `name`, and `@name.field` becomes its field. */
export function call(daysAgo: number, path: string, body: object = {}, options: CallOptions = {}): Happening {
  const { hour, method = 'POST', on = {}, as } = options
  const act = async (shop: Shopkeeper) => {
    const moments = Object.entries(on).map(([field, [days, at]]) => [field, shop.on(days, at)])
    const answer = await shop.call(method, path, { ...body, ...Object.fromEntries(moments) })
    if (as) shop.remember(as, answer)
  }
  return { daysAgo, ...(hour !== undefined && { hour }), act }
}
