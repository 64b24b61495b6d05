import type { AccountUser } from '../../../../contract/declarations/caller.ts'
import { newId } from '../../../../contract/values/ids.ts'
import { isReserved } from '../../../../contract/values/reserved-names.ts'
import { timestampOf } from '../../../../contract/values/values.ts'
import { isUniqueViolation } from '../../../../database/unique.ts'
import { within } from '../../../../database/within.ts'
import { kebabCase } from '../../../../records/slugs.ts'
import { LEGAL_KINDS } from '../../../content/legal-page/legal-page.ts'
import { createToken } from '../../../dashboard/api-token/issue.ts'
import type { Db, ShopDatabase, ShopScope } from '../../../tables.ts'
import { FIRST_CREDITS, FIRST_PLAN_LIFETIME_HOURS } from '../account.ts'
import { findOwner, join, userWith } from './members.ts'

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
  database: ShopDatabase,
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

const TITLES: Record<(typeof LEGAL_KINDS)[number], string> = {
  terms_of_service: 'Terms of service',
  privacy_policy: 'Privacy policy',
  refund_policy: 'Refund policy',
}

interface NewAccount {
  name: string
  subdomain: string
  /** An existing user, or a person to find or create. `unproven`: nobody has confirmed the address. */
  owner: { userId: string } | { name: string; email: string; unproven?: boolean }
  /** A test account has its own clock and never moves real money. */
  test?: boolean | undefined
  /** The start time of a test account's clock, by default the system time. */
  clock?: string | undefined
}

/** Creates an account and its owner, who may be an existing user with the same address. Throws UnprovenAddressError. */
export async function createAccount(
  database: ShopScope,
  { name, subdomain, owner, test = false, clock }: NewAccount,
): Promise<AccountUser> {
  const accountId = newId('acct')
  const realNow = timestampOf(new Date())
  const now = clock ?? realNow
  const blank = {
    support_email: null,
    description: null,
    branding: '{}',
    default_currency: 'usd',
    timezone: 'UTC',
    plan_lifetime_hours: FIRST_PLAN_LIFETIME_HOURS,
    ...{ storefront_domain: null, verified_storefront_domain: null, storefront_domain_checks: 0 },
    ...{ country: null, vat_id: null, tax_rates: '[]' },
    failed_run_emails: 1,
    buyers_may_pause: 0,
    refund_limits: '{}',
    charges_by_service: 0,
  }
  return database.transaction(async ({ db }) => {
    const settings = { name, subdomain, ...blank, test: test ? 1 : 0, credit_balance: FIRST_CREDITS }
    const account = { account_id: accountId, id: accountId, ...settings }
    await db
      .insertInto('accounts')
      .values({ ...account, created_at: now, updated_at: now })
      .execute()
    await bookFirstCredits(db, accountId, now)
    await db.insertInto('legal_pages').values(firstLegalPages(accountId, now)).execute()
    if (test) await insertClock(db, accountId, { moment: now, since: realNow })
    const userId = 'userId' in owner ? owner.userId : await userWith(db, owner, realNow)
    return join(db, { accountId, userId, role: 'owner' }, realNow)
  })
}

async function bookFirstCredits(db: Db, accountId: string, now: string): Promise<void> {
  const credits = { delta: FIRST_CREDITS, balance_after: FIRST_CREDITS }
  const why = { kind: 'opening', reason: 'first_credits', reference: null, reservation: null } as const
  await db
    .insertInto('credit_entries')
    .values({ account_id: accountId, id: newId('cred'), ...why, ...credits, created_at: now })
    .execute()
}

async function insertClock(db: Db, accountId: string, begins: { moment: string; since: string }): Promise<void> {
  const atRest = { advance_id: null, target: null, leased_until: null, requested: null }
  await db
    .insertInto('account_clocks')
    .values({ account_id: accountId, id: accountId, ...begins, ...atRest })
    .execute()
}

function firstLegalPages(accountId: string, now: string) {
  return LEGAL_KINDS.map((kind, index) => ({
    account_id: accountId,
    id: newId('legal'),
    kind,
    slug: kind.replaceAll('_', '-'),
    title: TITLES[kind],
    content: '',
    published: 0,
    place: index + 1,
    created_at: now,
    updated_at: now,
  }))
}

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

async function takenSubdomains({ read }: ShopScope, base: string): Promise<Set<string>> {
  const rows = await read.selectFrom('accounts').select('subdomain').where('subdomain', 'like', `${base}%`).execute()
  return new Set(rows.map((row) => row.subdomain))
}
