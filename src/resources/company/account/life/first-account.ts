import type { AccountUser } from '../../../../contract/declarations/caller.ts'
import { isUniqueViolation } from '../../../../database/unique.ts'
import { within } from '../../../../database/within.ts'
import { createToken } from '../../../dashboard/api-token/issue.ts'
import type { ShopDatabase, ShopScope } from '../../../tables.ts'
import { findOwner } from './members.ts'
import { createAccount, type NewAccount } from './open.ts'

export interface FirstAccount extends AccountUser {
  /** The value of a newly created token; null when the operator configured the token. */
  token: string | null
}

/** The owner of the first account until a person enters a name and an address. */
export const UNNAMED_OWNER = { name: 'Owner', email: 'owner@example.com' }

/** Creates the first account, a token and the rows of `fill`. Returns null if an account exists or another replica is faster. */
export async function makeFirstAccount(
  database: ShopDatabase,
  secret: string,
  bootstrapToken: string | undefined,
  filled: Pick<NewAccount, 'test' | 'clock'> & { fill?: (scope: ShopScope, owner: AccountUser) => Promise<void> },
): Promise<FirstAccount | null> {
  if (await findOwner(database)) return null
  try {
    return await database.transaction(async (unit) => {
      const scope = within(unit)
      if (await findOwner(scope)) return null
      const owner = await createAccount(scope, {
        name: 'My Shop',
        subdomain: 'my-shop',
        owner: { ...UNNAMED_OWNER, unproven: true },
        ...{ test: filled.test, clock: filled.clock },
      })
      const { value } = await createToken(scope, secret, owner, { name: 'First token', value: bootstrapToken })
      await filled.fill?.(scope, owner)
      return { ...owner, token: bootstrapToken === undefined ? value : null }
    })
  } catch (error) {
    if (isUniqueViolation(error) && (await findOwner(database))) return null
    throw error
  }
}
