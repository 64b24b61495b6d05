import type { BroughtTransfer } from '../provider.ts'

export interface Reference {
  network: string
  payer: `0x${string}`
  nonce: `0x${string}`
  payTo: `0x${string}`
  value: bigint
  /** The expiry of the transfer in seconds since 1970. */
  validBefore: bigint
  /** The number of the first block that may contain the transfer. */
  fromBlock: bigint
}

/** Returns `eip155:8453/0xpayer/0xnonce` in lower case, so that all spellings of a transfer share a key. */
export function transferKey({ accepted, transfer }: BroughtTransfer): string {
  return [accepted.network, transfer.from, transfer.nonce].join('/').toLowerCase()
}

/** Returns the key of the transfer, followed by the values that `lookUp` needs. */
export function referenceOf(brought: BroughtTransfer, fromBlock: bigint): string {
  const { to, value, validBefore } = brought.transfer
  return [transferKey(brought), to.toLowerCase(), value, validBefore, fromBlock].join('/')
}

export function keyOfReference(reference: string): string {
  return reference.split('/').slice(0, 3).join('/')
}

/** Throws for a text that `referenceOf` did not create, such as the hash of a completed transfer. */
export function readReference(reference: string): Reference {
  const [network, payer, nonce, payTo, value, validBefore, fromBlock, ...more] = reference.split('/')
  if (
    !network ||
    !isHex(payer) ||
    !isHex(nonce) ||
    !isHex(payTo) ||
    !value ||
    !validBefore ||
    !fromBlock ||
    more.length
  )
    throw new Error('The reference does not belong to a transfer that is under way.')
  const [amount, end, block] = [BigInt(value), BigInt(validBefore), BigInt(fromBlock)]
  return { network, payer, nonce, payTo, value: amount, validBefore: end, fromBlock: block }
}

function isHex(text: string | undefined): text is `0x${string}` {
  return text?.startsWith('0x') ?? false
}
