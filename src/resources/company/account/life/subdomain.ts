import { isReserved } from '../../../../contract/values/reserved-names.ts'
import { kebabCase } from '../../../../records/slugs.ts'
import type { ShopScope } from '../../../tables.ts'

const SHORTEST = 3
/** Leaves room for `-` and a number within the 63 characters of a DNS label. */
const LONGEST_BASE = 50

/** Derives a subdomain from a name: `Ada’s Books` → `adas-books`, or `adas-books-2` when that is taken or reserved. */
export async function freeSubdomain(database: ShopScope, name: string): Promise<string> {
  const words = kebabCase(name).slice(0, LONGEST_BASE).replace(/-$/, '')
  const base = words.length >= SHORTEST ? words : ['shop', words].filter(Boolean).join('-')
  const taken = await takenSubdomains(database, base)
  if (!taken.has(base) && !isReserved(base)) return base
  let number = 2
  while (taken.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}

export async function takenSubdomains({ read }: ShopScope, base: string): Promise<Set<string>> {
  const rows = await read.selectFrom('accounts').select('subdomain').where('subdomain', 'like', `${base}%`).execute()
  return new Set(rows.map((row) => row.subdomain))
}
