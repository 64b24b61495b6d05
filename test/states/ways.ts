import type { Tables } from '../../src/resources/tables.ts'
import type { Shop } from '../support/shop.ts'

/** Brings a new row into a state, and gives its id. */
export type Way = (shop: Shop) => Promise<string>
/** By noun, then by state. */
export type Ways = Record<string, Record<string, Way>>

/** What a way makes, with columns as no operation sets them. */
export function having(table: keyof Tables, values: Record<string, unknown>, make: Way): Way {
  return async (shop) => {
    const id = await make(shop)
    await shop.set(table, id, values)
    return id
  }
}

/** What a way makes, after an action on it. */
export function after(path: string, make: Way, body: Record<string, unknown> = {}): Way {
  return async (shop) => {
    const id = await make(shop)
    await shop.post(path.replace('{id}', id), body)
    return id
  }
}
