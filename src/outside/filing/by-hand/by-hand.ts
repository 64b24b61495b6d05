import type { FilingAgent } from '../provider.ts'

/** The settings that choose it, and its fee in cents of US dollars. */
export interface ByHandSettings {
  FILING_AGENT?: 'by_hand' | undefined
  FORMATION_FEE: number
}

/** People file: the operator or a partner, with the command `filings`. */
export function openByHand({ FILING_AGENT: chosen, FORMATION_FEE: fee }: ByHandSettings): FilingAgent | null {
  if (chosen !== 'by_hand') return null
  return {
    priceOf: () => ({ amount: fee, currency: 'usd' }),
    file: () => Promise.resolve({ state: 'by_hand' }),
  }
}
