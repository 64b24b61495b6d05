import type { Context } from '../../../records/context.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import { Customer } from './customer.ts'

/** Customers that words may mean: whoever types so little that more of them have it types on. */
const MOST = 100

/** Ids of the customers whose e-mail address, name or telephone number has words that begin as these do; at most 100. */
export function customersFound(context: Context, words: string): Promise<string[]> {
  return idsFound(context, Customer, words, MOST)
}
