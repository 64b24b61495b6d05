import { X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import { compileOnce } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { memoize } from '../../../records/memoize.ts'
import { requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Account } from '../account/account.ts'
import { X402Configuration, type X402ConfigurationRow } from './x402-configuration.ts'

/** Until the first change, nothing is stored, and the configuration has the dates of the account. */
export async function currentConfiguration(context: Context): Promise<X402ConfigurationRow> {
  const stored = await findStored(context)
  if (stored) return stored
  const { id, account_id, created_at } = await requireRow(context, Account, context.accountId)
  const untouched = { x402_enabled: false, x402_wallet_address: null, x402_chain: null }
  return { ...untouched, id, account_id, created_at, updated_at: created_at }
}

export async function findStored(context: Context): Promise<X402ConfigurationRow | undefined> {
  const question = { name: 'x402 configuration', tables: ['x402_configurations'] as const }
  const [raw] = await memoize(context, question, () => storedOf(context.db, context.accountId))
  return raw && decode<X402ConfigurationRow>(X402Configuration, { ...raw })
}

/** Compiled once, because showing any checkout runs this query. */
const storedOf = compileOnce((db: Context['db'], accountId: string) =>
  rowsOf({ db, accountId }, 'x402_configurations').selectAll(),
)

type SettlementContext = Pick<Context, 'services' | 'test'>

/** Returns the reason why the account cannot receive payments on a chain, or null. Test accounts never take real money. */
export function whyNotServed({ services: { payments }, test }: SettlementContext, chain: X402ChainName): string | null {
  const { network, real } = X402_CHAINS[chain]
  if (test && real) return `${chain} moves real money, and this is a test account. Choose base-sepolia.`
  if (payments.x402 === null) return 'This service does not take USDC yet. Ask whoever runs it to set that up.'
  if (payments.x402.serves(network)) return null
  return `This service does not take USDC on ${chain}. Choose another chain, or ask whoever runs the service to add this one.`
}
