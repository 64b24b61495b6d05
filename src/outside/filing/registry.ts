import { filedByHand } from './by-hand/by-hand.ts'
import type { Filings } from './provider.ts'
import { builtInAgent } from './trial/trial.ts'

/** What decides who files for live accounts. */
export interface FilingSettings {
  FILING_AGENT?: 'by_hand' | undefined
  FORMATION_FEE: number
}

/** The filing agents that the settings choose. The trial agent serves live accounts only where `pretending` is allowed. */
export function createFilings(
  { FILING_AGENT: chosen, FORMATION_FEE: fee }: FilingSettings,
  pretending: boolean,
): Filings {
  const live = chosen === 'by_hand' ? filedByHand(fee) : pretending ? builtInAgent : null
  return { agentFor: ({ test }) => (test ? builtInAgent : live) }
}
