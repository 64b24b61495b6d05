import type { FilingAgent } from '../provider.ts'

/** People file: the operator or a partner, with the command `filings`. `fee` is in cents of US dollars. */
export function filedByHand(fee: number): FilingAgent {
  return {
    pretends: false,
    priceOf: () => ({ amount: fee, currency: 'usd' }),
    file: () => Promise.resolve({ state: 'by_hand' }),
  }
}
