import type { AccountUser } from '../../../../contract/declarations/caller.ts'
import { isReserved } from '../../../../contract/values/reserved-names.ts'
import type { Database, Scope } from '../../../../database/database.ts'
import { within } from '../../../../database/within.ts'
import { kebabCase } from '../../../../records/slugs.ts'
import { createToken } from '../../../dashboard/api_token/issue.ts'
import type { Tables } from '../../../tables.ts'
import { createAccount } from './create.ts'

export interface AccountRequest {
  name: string
  /** Made from the name when absent. */
  subdomain?: string | undefined
  owner: { name: string; email: string }
  /** A test account, whose clock can be moved forward. */
  test?: boolean | undefined
}

export interface OpenedAccount extends AccountUser {
  subdomain: string
  /** Its first token's value, shown only now. */
  token: string
}

/** An account with its owner and a first token, or null when another account has the subdomain. */
export async function openAccount(
  database: Database<Tables>,
  secret: string,
  { name, subdomain, owner, test }: AccountRequest,
): Promise<OpenedAccount | null> {
  return database.transaction(async (unit) => {
    const scope = within(unit)
    const chosen = subdomain ?? (await freeSubdomain(scope, name))
    if ((await takenSubdomains(scope, chosen)).has(chosen)) return null
    const made = await createAccount(scope, { name, subdomain: chosen, owner, test })
    const { value } = await createToken(scope, secret, made, { name: 'First token' })
    return { ...made, subdomain: chosen, token: value }
  })
}

const SHORTEST = 3
/** Leaves room in 63 characters for `-` and a number. */
const LONGEST_BASE = 50

/** The name in the letters of addresses: `Ada’s Books` → `adas-books`, or `adas-books-2` when that is taken or reserved. */
export async function freeSubdomain(database: Scope<Tables>, name: string): Promise<string> {
  const words = kebabCase(name).slice(0, LONGEST_BASE).replace(/-$/, '')
  const base = words.length >= SHORTEST ? words : ['shop', words].filter(Boolean).join('-')
  const taken = await takenSubdomains(database, base)
  if (!taken.has(base) && !isReserved(base)) return base
  let number = 2
  while (taken.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}

/** The subdomains that are `base` or begin with it. */
async function takenSubdomains({ read }: Scope<Tables>, base: string): Promise<Set<string>> {
  const rows = await read.selectFrom('accounts').select('subdomain').where('subdomain', 'like', `${base}%`).execute()
  return new Set(rows.map((row) => row.subdomain))
}
