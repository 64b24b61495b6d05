import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { USDC_PER_CENT, X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import { compileOnce } from '../../../database/compile-once.ts'
import { decode } from '../../../records/columns.ts'
import type { Context } from '../../../records/context.ts'
import { memoize } from '../../../records/memoize.ts'
import { requireRow } from '../../../records/records.ts'
import { rowsOf } from '../../../records/rows-of.ts'
import { Account } from '../account/account.ts'
import { X402Configuration, type X402ConfigurationRow, type X402Requirements } from './x402-configuration.ts'

const SIGNATURE_LIFETIME_SECONDS = 300

interface PayableResource {
  url: string
  description: string
  /** In US cents. */
  amount: number
}

export interface X402Wallet {
  address: string
  chain: X402ChainName
}

/** Returns the wallet that receives the account's x402 payments, or null when the account accepts none. */
export async function x402Wallet(context: Context): Promise<X402Wallet | null> {
  const configuration: X402ConfigurationRow | undefined = await findStored(context)
  if (!configuration?.x402_enabled) return null
  const { x402_wallet_address: address, x402_chain: chain } = configuration
  if (address === null || chain === null || whyNotServed(context, chain) !== null) return null
  return { address, chain }
}

export function requirementsOf(
  { address, chain }: X402Wallet,
  { url, description, amount }: PayableResource,
): X402Requirements {
  const { network, asset, name, version } = X402_CHAINS[chain]
  return {
    x402Version: 2,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount: String(amount * USDC_PER_CENT),
        asset,
        payTo: address,
        maxTimeoutSeconds: SIGNATURE_LIFETIME_SECONDS,
        extra: { name, version },
      },
    ],
  }
}

/** Returns an Ethereum address with the checksum that its mixed case encodes (EIP-55). `address` is 0x and 40 hexadecimal digits. */
export function withChecksum(address: string): string {
  const digits = address.slice(2).toLowerCase()
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)))
  const marked = [...digits].map((digit, index) =>
    Number.parseInt(hash[index]!, 16) >= 8 ? digit.toUpperCase() : digit,
  )
  return `0x${marked.join('')}`
}

/** Returns whether the mixed case of an address contradicts its checksum. */
export function isMistyped(address: string): boolean {
  const letters = address.slice(2)
  const hasChecksum = letters !== letters.toLowerCase() && letters !== letters.toUpperCase()
  return hasChecksum && address !== withChecksum(address)
}

/** Returns the configuration. Until the first change, nothing is stored, and the configuration has the dates of the account. */
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
  return raw && decode(X402Configuration, { ...raw })
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
