import type { Context } from '../../../records/context.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import { Customer } from './customer.ts'

const MOST = 100

/** Returns the ids of at most 100 customers whose e-mail address, name or phone number has words that begin with `words`. */
export function customersFound(context: Context, words: string): Promise<string[]> {
  return idsFound(context, Customer, words, MOST)
}
