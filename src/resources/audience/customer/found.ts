import type { Context } from '../../../records/context.ts'
import { idsFound } from '../../../records/search/by-words.ts'
import { Customer } from './customer.ts'

const MOST = 100

/** Returns at most 100 ids. The e-mail address, name or telephone number must have words that begin with the typed `words`. */
export function customersFound(context: Context, words: string): Promise<string[]> {
  return idsFound(context, Customer, words, MOST)
}
