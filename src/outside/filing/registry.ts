import type { FilingAgent, Filings } from './provider.ts'
import { trialAgent } from './trial/trial.ts'

/** The settings that choose it, and its fee in cents of US dollars. */
interface ByHandSettings {
  FILING_AGENT?: 'by_hand' | undefined
  FORMATION_FEE: number
}

/** The first one that the settings choose files for live accounts. */
const AGENTS = [openByHand]

/** The filing agents that the settings choose. The trial agent serves live accounts only where `pretending` is allowed. */
export function createFilings(settings: ByHandSettings, pretending: boolean): Filings {
  const [live = pretending ? trialAgent : null] = AGENTS.flatMap((open) => open(settings) ?? [])
  return { agentFor: ({ test }) => (test ? trialAgent : live) }
}

/** People file: the operator or a partner, with the command `filings`. */
function openByHand({ FILING_AGENT: chosen, FORMATION_FEE: fee }: ByHandSettings): FilingAgent | null {
  if (chosen !== 'by_hand') return null
  return {
    priceOf: () => ({ amount: fee, currency: 'usd' }),
    file: () => Promise.resolve({ state: 'by_hand' }),
  }
}
