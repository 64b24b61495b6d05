import type { AccountUser } from '../../../../contract/declarations/caller.ts'
import { isReserved } from '../../../../contract/values/reserved-names.ts'
import type { Database, Scope } from '../../../../database/database.ts'
import { within } from '../../../../database/within.ts'
import { kebabCase } from '../../../../records/slugs.ts'
import { createToken } from '../../../dashboard/api-token/issue.ts'
import type { Tables } from '../../../tables.ts'
import { createAccount } from './create.ts'

export interface AccountRequest {
  name: string
  /** Derived from the name when absent. */
  subdomain?: string | undefined
  owner: { name: string; email: string }
  test?: boolean | undefined
}

export interface OpenedAccount extends AccountUser {
  subdomain: string
  /** The value of the first token, which is shown only once. */
  token: string
}

/** Opens an account with an owner and a token. Resolves to null when the subdomain is taken. */
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
/** Leaves room for `-` and a number within the 63 characters of a DNS label. */
const LONGEST_BASE = 50

/** Derives a subdomain from a name: `Ada’s Books` → `adas-books`, or `adas-books-2` when that is taken or reserved. */
export async function freeSubdomain(database: Scope<Tables>, name: string): Promise<string> {
  const words = kebabCase(name).slice(0, LONGEST_BASE).replace(/-$/, '')
  const base = words.length >= SHORTEST ? words : ['shop', words].filter(Boolean).join('-')
  const taken = await takenSubdomains(database, base)
  if (!taken.has(base) && !isReserved(base)) return base
  let number = 2
  while (taken.has(`${base}-${number}`)) number++
  return `${base}-${number}`
}

async function takenSubdomains({ read }: Scope<Tables>, base: string): Promise<Set<string>> {
  const rows = await read.selectFrom('accounts').select('subdomain').where('subdomain', 'like', `${base}%`).execute()
  return new Set(rows.map((row) => row.subdomain))
}
