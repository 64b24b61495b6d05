import { createHash } from 'node:crypto'
import type { Filing, FilingAgent } from '../provider.ts'
import { documentsOf } from './documents.ts'

/** What a formation costs, unless the settings say otherwise. */
const USUAL_FEE = 29_900

const PRICE = { amount: USUAL_FEE, currency: 'usd' }

/** A name that this agent takes for one that somebody else has. */
const TAKEN = /\btaken\b/i

/**
 * Files nothing with anybody: it answers at once, always in the same way, and marks its documents as samples. The first name
 * without the word “taken” is available; without any, the filing fails, so that both ends can be tried.
 */
export const trialAgent: FilingAgent = {
  priceOf: () => PRICE,

  async file({ key, filing, today }) {
    const chosen = filing.name_options.find(({ name }) => !TAKEN.test(name))
    if (!chosen)
      return { state: 'failed', message: 'None of the names is available. Start a formation with other names.' }
    const name = fullName(chosen)
    const ein = einOf(key)
    return {
      state: 'completed',
      ein,
      filed_on: today,
      notes: [`Formed as ${name} by the built-in agent: a sample, filed with no authority.`],
      documents: documentsOf(filing, { name, ein, today }),
    }
  },
}

function fullName({ name, entity_type_ending }: Filing['name_options'][number]): string {
  return `${name} ${entity_type_ending}`
}

/** No company has a number that begins with 00. */
function einOf(key: string): string {
  const digits = createHash('sha256').update(key).digest().readUInt32BE() % 10_000_000
  return `00-${String(digits).padStart(7, '0')}`
}
