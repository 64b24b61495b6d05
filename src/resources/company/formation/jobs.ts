import { laterBy } from '../../../contract/values/values.ts'
import type { Filing, FilingOutcome } from '../../../outside/filing/provider.ts'
import type { Context } from '../../../records/context.ts'
import { type JobPlace, job } from '../../../records/job.ts'
import { findRow } from '../../../records/records.ts'
import { bookOutcome, ENDING_EVENTS } from './filed.ts'
import { Formation, type FormationRow } from './formation.ts'
import { openNumbers } from './tax_numbers.ts'

/** How often an agent that needs time is asked. */
const ASK_AGAIN_MS = 60 * 60 * 1000
/** About two days, with the pauses between them. */
const ATTEMPTS = 60

interface Submission {
  formation: string
  /** From 1: a formation that failed can be submitted again. */
  submission: number
}

/** Has a submitted formation filed, and books what comes of it. */
export const fileFormation = job('formation.file', {
  emits: ENDING_EVENTS,
  attempts: ATTEMPTS,
  foresee: async (_, submissions: Submission[]) => submissions.map(() => ({ kind: 'filing' })),
  async work(place, submission: Submission) {
    const asked = await place.transaction((context) => requestOf(context, submission))
    if (!asked) return
    const outcome = await outcomeOf(place, { ...asked, key: `${submission.formation}_${submission.submission}` })
    await place.finish(async (context) => {
      const formation = await submitted(context, submission)
      if (!formation) return
      if (outcome.state === 'by_hand') return
      if (outcome.state !== 'pending') return bookOutcome(context, formation, outcome)
      await context.enqueue(fileFormation, submission, { runAt: laterBy(context.now, ASK_AGAIN_MS) })
    })
  },
})

interface Asked {
  key: string
  filing: Filing
  today: string
  test: boolean
}

/** What an account is told whose agent was taken away after it had submitted. */
const GONE = {
  state: 'failed',
  message: 'This service has no filing agent for the account any more. Nothing was filed.',
} as const

/** An agent that cannot be reached is tried again; after the last attempt that is what the owner is shown. */
async function outcomeOf(place: JobPlace, { test, ...asked }: Asked): Promise<FilingOutcome> {
  const { services, signal, attempt } = place
  const agent = services.filings.agentFor({ test })
  if (!agent) return GONE
  try {
    return await agent.file({ ...asked, signal })
  } catch (error) {
    if (attempt < ATTEMPTS) throw error
    return { state: 'failed', message: 'The filing agent could not be reached. Submit the formation again later.' }
  }
}

async function requestOf(context: Context, submission: Submission): Promise<Omit<Asked, 'key'> | null> {
  const formation = await submitted(context, submission)
  return formation && { filing: filingOf(context, formation), today: context.now.slice(0, 10), test: context.test }
}

/** The formation, if this submission is the one that its agent works on. */
async function submitted(context: Context, { formation: id, submission }: Submission): Promise<FormationRow | null> {
  const formation = await findRow(context, Formation, id)
  return formation?.status === 'submitted' && formation.submissions === submission ? formation : null
}

/** A formation as its agent needs it, with the tax numbers of its people. */
export function filingOf({ services }: Pick<Context, 'services'>, formation: FormationRow): Filing {
  const { entity_type, state, naics_code, description, name_options, mailing_address } = formation
  const numbers = openNumbers(services.vault, formation.sealed_tax_numbers)
  return {
    ...{ entity_type, state, naics_code, description, name_options, mailing_address },
    members: formation.members.map((member, index) => ({
      ...member,
      contact_full_name: member.contact_full_name ?? '',
      tax_id: numbers.members[index] ?? null,
    })),
    responsible_party: { ...formation.responsible_party, tax_id: numbers.responsible_party },
  }
}
