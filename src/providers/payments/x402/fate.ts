import type { Hex, Log, PublicClient } from 'viem'
import { type BroughtTransfer, type PaymentOutcome, UnknownOutcomeError } from '../provider.ts'
import type { Chain, Viem } from './chain.ts'

/** The number of blocks after the first in one query for logs; most nodes allow 500 blocks. */
const BLOCKS_AT_ONCE = 499n
/** The maximum number of blocks to search. A transfer is valid for minutes, and the fastest chain makes about four blocks a second. */
const MOST_BLOCKS = 4_000n

const EVENTS = {
  used: 'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  canceled: 'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  moved: 'event Transfer(address indexed from, address indexed to, uint256 value)',
} as const

/** Looks up a transfer by its nonce. It failed if it was canceled or expired, or if another transfer used the nonce. */
export function fateOf(chain: Chain, reference: string): Promise<PaymentOutcome> {
  const wanted = readReference(reference)
  return chain.ask(async (client, viem) => {
    const latest = await client.getBlock({ blockTag: 'latest' })
    const final = latest.number - BigInt(chain.facts.confirmations - 1)
    const pending = { state: 'pending', reference } as const
    if (await chain.isUsed(wanted, latest.number)) {
      const log = await findUse({ chain, client, viem }, wanted, latest.number)
      if (log.blockNumber > final) return pending
      return log.canceled ? failed(reference, CANCELED) : outcomeOfUse({ chain, client, viem }, wanted, log, reference)
    }
    if (final < 0n) return pending
    const { timestamp } = await client.getBlock({ blockNumber: final })
    return timestamp >= wanted.validBefore ? failed(reference, TOO_LATE) : pending
  })
}

const CANCELED = 'The buyer’s wallet canceled the transfer.'
const TOO_LATE = 'The transfer was not made before its time was over. No money moved.'
const OTHER_USE = 'The buyer’s wallet used what it had signed for another transfer.'

function failed(reference: string, message: string): PaymentOutcome {
  return { state: 'failed', reference: keyOfReference(reference), message }
}

interface ChainAccess {
  chain: Chain
  client: PublicClient
  viem: Viem
}

interface NonceUse {
  canceled: boolean
  blockNumber: bigint
  transactionHash: Hex
}

async function findUse({ chain, client, viem }: ChainAccess, wanted: Reference, latest: bigint): Promise<NonceUse> {
  const { asset: address } = chain.facts
  const events = viem.parseAbi([EVENTS.used, EVENTS.canceled])
  const args = { authorizer: wanted.payer, nonce: wanted.nonce }
  const end = wanted.fromBlock + MOST_BLOCKS < latest ? wanted.fromBlock + MOST_BLOCKS : latest
  for (let fromBlock = wanted.fromBlock; fromBlock <= end; fromBlock += BLOCKS_AT_ONCE + 1n) {
    const toBlock = fromBlock + BLOCKS_AT_ONCE < end ? fromBlock + BLOCKS_AT_ONCE : end
    for (const event of events) {
      const [log] = await client.getLogs({ address, event, args, fromBlock, toBlock, strict: true })
      if (log) {
        const { blockNumber, transactionHash } = log
        return { canceled: event.name === 'AuthorizationCanceled', blockNumber, transactionHash }
      }
    }
  }
  throw new UnknownOutcomeError(`The node of ${chain.facts.network} does not show where a transfer was made.`)
}

/** Only the log entry directly after that of the nonce counts, because one transaction can contain several transfers of the payer. */
async function outcomeOfUse(
  { chain, client, viem }: ChainAccess,
  { payer, nonce, payTo, value }: Reference,
  { transactionHash: hash }: NonceUse,
  reference: string,
): Promise<PaymentOutcome> {
  const { logs } = await client.getTransactionReceipt({ hash })
  const own = logs.filter((log) => log.address.toLowerCase() === chain.facts.asset.toLowerCase())
  const place = own.findIndex((log) => isNonceUse(viem, log, payer, nonce))
  const [used, next] = place < 0 ? [] : own.slice(place)
  if (!used || !next) throw new UnknownOutcomeError(`The node of ${chain.facts.network} shows no such transfer.`)
  const follows = next.logIndex === used.logIndex + 1
  const moved = follows && isExpectedTransfer(viem, next, { payer, payTo, value })
  return moved ? { state: 'succeeded', reference: hash, method: null } : failed(reference, OTHER_USE)
}

function isNonceUse(viem: Viem, log: Log, payer: Hex, nonce: Hex): boolean {
  const [read] = viem.parseEventLogs({ abi: viem.parseAbi([EVENTS.used]), logs: [log] })
  return (
    read !== undefined && viem.isAddressEqual(read.args.authorizer, payer) && read.args.nonce.toLowerCase() === nonce
  )
}

function isExpectedTransfer(
  viem: Viem,
  log: Log,
  { payer, payTo, value }: Pick<Reference, 'payer' | 'payTo' | 'value'>,
): boolean {
  const [read] = viem.parseEventLogs({ abi: viem.parseAbi([EVENTS.moved]), logs: [log] })
  if (!read) return false
  const { from, to, value: given } = read.args
  return viem.isAddressEqual(from, payer) && viem.isAddressEqual(to, payTo) && given === value
}

interface Reference {
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
