import type { FilingAgent, Filings } from './provider.ts'
import { trialAgent } from './trial/trial.ts'

/** Whether people file the documents, and the fee for each filing in US cents. */
interface ByHandSettings {
  FILING_AGENT?: 'by_hand' | undefined
  FORMATION_FEE: number
}

const AGENTS = [openByHand]

/**
 * Chooses the filing agent of each account. Live accounts get the trial agent only if simulated providers are allowed
 * (`pretending`).
 */
export function createFilings(settings: ByHandSettings, pretending: boolean): Filings {
  const [live = pretending ? trialAgent : null] = AGENTS.flatMap((open) => open(settings) ?? [])
  return { agentFor: ({ test }) => (test ? trialAgent : live) }
}

/**
 * Returns the agent that leaves the filing to people: the operator or a partner, who use the command `filings`. Returns null if
 * it is not chosen.
 */
function openByHand({ FILING_AGENT: chosen, FORMATION_FEE: fee }: ByHandSettings): FilingAgent | null {
  if (chosen !== 'by_hand') return null
  return {
    priceOf: () => ({ amount: fee, currency: 'usd' }),
    file: () => Promise.resolve({ state: 'by_hand' }),
  }
}
