import type { Context } from '../../../records/context.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import { Customer } from './customer.ts'

/** The maximum number of customers found; if more match, people type more. */
const MOST = 100

/** Returns the ids of at most 100 customers whose e-mail address, name or telephone number has words that begin with these. */
export function customersFound(context: Context, words: string): Promise<string[]> {
  return idsFound(context, Customer, words, MOST)
}
