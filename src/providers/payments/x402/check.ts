import { setTimeout as delay } from 'node:timers/promises'
import type { BroughtTransfer, Listing, TransferCheck, TransferRefusal, TransferTerms } from '../provider.ts'
import { type Chain, schemeOf, TOKEN_ABI } from './chain.ts'
import { referenceOf, transferKey } from './reference.ts'
import { refusalOf, type Settler, submissionOf } from './settler.ts'

/** The minimum remaining validity in seconds, because a block has to include the transfer before it expires. */
const LEAST_SECONDS = 20
/** The allowed difference between the clocks of a client and of this service. */
const SKEW_SECONDS = 60

/** Checks a transfer without submitting it. Rejects if the chain or the settler cannot be reached. */
export async function checkTransfer(
  { chain, settler }: { chain: Chain; settler: Settler },
  brought: BroughtTransfer,
  terms: TransferTerms,
  listing?: Listing,
): Promise<TransferCheck> {
  const refusal = whyNotAccepted(brought, terms) ?? whyNotNow(brought, terms, Math.floor(Date.now() / 1000))
  if (refusal) return { state: 'refused', ...refusal }
  const block = await chain.ask((client) => client.getBlockNumber({ cacheTime: 0 }))
  const refused =
    (await askToken(chain, brought, block)) ??
    (await askScheme(chain, brought, terms)) ??
    (await settler.verify(chain, submissionOf(chain, terms, brought.transfer, listing)))
  if (refused) return { state: 'refused', ...refused }
  return { state: 'good', key: transferKey(brought), reference: referenceOf(brought, block) }
}

/** Compares the terms that the client accepted and signed with the current ones. */
function whyNotAccepted({ accepted, transfer }: BroughtTransfer, terms: TransferTerms): TransferRefusal | null {
  const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
  if (accepted.network !== terms.network)
    return { code: 'invalid_exact_evm_network_mismatch', message: `The payment must be on ${terms.network}.` }
  if (!same(accepted.asset, terms.asset))
    return { code: 'invalid_payment_requirements', message: `The payment must be in the token ${terms.asset}.` }
  if (!same(accepted.payTo, terms.payTo) || !same(transfer.to, terms.payTo))
    return { code: 'invalid_exact_evm_recipient_mismatch', message: `The payment must be to ${terms.payTo}.` }
  if (accepted.amount !== terms.amount || transfer.value !== terms.amount)
    return {
      code: 'invalid_exact_evm_payload_authorization_value_mismatch',
      message: `The payment must be of ${terms.amount} units of the token.`,
    }
  return null
}

/** Also refuses a transfer that is valid for too long, because an unknown outcome blocks the checkout until the transfer expires. */
function whyNotNow({ transfer }: BroughtTransfer, terms: TransferTerms, now: number): TransferRefusal | null {
  const [after, before] = [BigInt(transfer.validAfter), BigInt(transfer.validBefore)]
  const longest = terms.maxTimeoutSeconds + SKEW_SECONDS
  if (after >= BigInt(now))
    return {
      code: 'invalid_exact_evm_payload_authorization_valid_after',
      message: 'The payment is not valid yet: validAfter must be in the past.',
    }
  if (before < BigInt(now + LEAST_SECONDS))
    return {
      code: 'invalid_exact_evm_payload_authorization_valid_before',
      message: `The payment has expired: validBefore must be ${LEAST_SECONDS} seconds or more from now.`,
    }
  if (before > BigInt(now + longest))
    return {
      code: 'invalid_exact_evm_payload_authorization_valid_before',
      message: `The payment is valid for too long: validBefore must be at most ${terms.maxTimeoutSeconds} seconds from now.`,
    }
  return null
}

function askToken(chain: Chain, { transfer }: BroughtTransfer, blockNumber: bigint): Promise<TransferRefusal | null> {
  const { from: payer, nonce } = transfer
  return chain.ask(async (client) => {
    if (await chain.isUsed(client, { payer, nonce }, blockNumber))
      return refusalOf('invalid_exact_evm_nonce_already_used')
    const balance = { address: chain.facts.asset, abi: TOKEN_ABI, functionName: 'balanceOf', args: [payer] } as const
    const has = await client.readContract(balance)
    return has < BigInt(transfer.value) ? refusalOf('invalid_exact_evm_insufficient_balance') : null
  })
}

async function askScheme(
  chain: Chain,
  brought: BroughtTransfer,
  terms: TransferTerms,
): Promise<TransferRefusal | null> {
  const { payload, requirements } = submissionOf(chain, terms, brought.transfer)
  const { isValid, invalidReason } = await chain.ask(async () => (await schemeOf(chain)).verify(payload, requirements))
  return isValid ? null : refusalOf(invalidReason)
}

/** Repeats `ask` until the answer is not pending or the time is up, and returns the last answer. */
export async function waitUntil<Answer extends { state: string }>(
  ask: () => Promise<Answer>,
  { mostMs, pauseMs, signal }: { mostMs: number; pauseMs: number; signal?: AbortSignal | undefined },
): Promise<Answer> {
  const end = performance.now() + mostMs
  for (;;) {
    const answer = await ask()
    if (answer.state !== 'pending' || performance.now() > end) return answer
    await delay(pauseMs, undefined, signal && { signal })
  }
}
