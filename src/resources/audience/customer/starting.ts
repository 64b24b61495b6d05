import type { Context } from '../../../records/context.ts'
import { idsStarting } from '../../../records/starting.ts'

/** Customers that words may mean: whoever types so little that more begin with it types on. */
const MOST = 100

/** Ids of the customers whose e-mail address, name or last name begins with words; at most 100 of each. */
export function customersStarting(context: Context, words: string): Promise<string[]> {
  const address = { stored: 'email' }
  const columns = words.includes('@') ? [address] : [address, 'name', 'last_name']
  return idsStarting(context, { table: 'customers', columns, words, most: MOST })
}
