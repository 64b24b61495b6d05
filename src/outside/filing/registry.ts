import { type ByHandSettings, openByHand } from './by-hand/by-hand.ts'
import type { Filings } from './provider.ts'
import { trialAgent } from './trial/trial.ts'

/** The first one that the settings choose files for live accounts. */
const AGENTS = [openByHand]

/** The filing agents that the settings choose. The trial agent serves live accounts only where `pretending` is allowed. */
export function createFilings(settings: ByHandSettings, pretending: boolean): Filings {
  const [live = pretending ? trialAgent : null] = AGENTS.flatMap((open) => open(settings) ?? [])
  return { agentFor: ({ test }) => (test ? trialAgent : live) }
}
