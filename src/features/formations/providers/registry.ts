import type { FilingAgent, Filings } from './provider.ts'
import { trialAgent } from './trial/trial.ts'

/** Whether people file the documents, and the fee for each filing in US cents. */
interface ByHandSettings {
  FILING_AGENT?: 'by_hand' | undefined
  FORMATION_FEE: number
}

const AGENTS = [openByHand]

/** The trial agent serves live accounts only if simulated providers are allowed to (`pretending`). */
export function createFilings(settings: ByHandSettings, pretending: boolean): Filings {
  const [live = pretending ? trialAgent : null] = AGENTS.flatMap((open) => open(settings) ?? [])
  return { agentFor: ({ test }) => (test ? trialAgent : live) }
}

/** People file the documents: the operator or a partner, with the command `filings`. */
function openByHand({ FILING_AGENT: chosen, FORMATION_FEE: fee }: ByHandSettings): FilingAgent | null {
  if (chosen !== 'by_hand') return null
  return {
    priceOf: () => ({ amount: fee, currency: 'usd' }),
    file: () => Promise.resolve({ state: 'by_hand' }),
  }
}
