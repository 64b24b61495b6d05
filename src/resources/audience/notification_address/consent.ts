import type { Context } from '../../../records/context.ts'
import { rowsOf } from '../../../records/rows-of.ts'

/** What the owners of addresses have said to notifications. */
export interface Consent {
  /** They have confirmed the address, or are members of the account who have proven that it is theirs. */
  agreed: ReadonlySet<string>
  /** They have a link that can still be used. */
  asked: ReadonlySet<string>
}

/** What is known of addresses that forms of the account name. */
export async function consentOf(context: Context, addresses: readonly string[]): Promise<Consent> {
  if (addresses.length === 0) return { agreed: new Set(), asked: new Set() }
  const members = await rowsOf(context, 'memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.email')
    .where('users.email', 'in', addresses)
    .where('users.email_verified', '=', 1)
    .execute()
  const known = await rowsOf(context, 'notification_addresses')
    .select(['address', 'confirmed_at', 'expires_at'])
    .where('address', 'in', addresses)
    .execute()
  const confirmed = known.filter(({ confirmed_at }) => confirmed_at !== null)
  const asked = known.filter(({ expires_at }) => expires_at !== null && expires_at > context.realNow)
  return {
    agreed: new Set([...members.map(({ email }) => email), ...confirmed.map(({ address }) => address)]),
    asked: new Set(asked.map(({ address }) => address)),
  }
}

/** Those of the addresses whose owners have not agreed. */
export function withoutConsent(addresses: readonly string[], { agreed }: Consent): string[] {
  return addresses.filter((address) => !agreed.has(address))
}
