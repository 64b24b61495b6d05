import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { USDC_PER_CENT, X402_CHAINS, type X402ChainName } from '../../../contract/values/x402-chains.ts'
import type { Context } from '../../../records/context.ts'
import { findStored, whyNotServed } from './current.ts'
import type { X402ConfigurationRow, X402Requirements } from './x402-configuration.ts'

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
