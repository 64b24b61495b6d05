import { laterBy } from '../../../../contract/values/values.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { findRow } from '../../../../records/records.ts'
import type { Filing, FilingOutcome } from '../../providers/provider.ts'
import { bookOutcome, ENDING_EVENTS } from './filed.ts'
import { Formation, type FormationRow } from './formation.ts'
import { openNumbers } from './tax-numbers.ts'

const POLL_INTERVAL_MS = 60 * 60 * 1000
/** These attempts and the pauses between them take about two days. */
const ATTEMPTS = 60

interface Submission {
  formation: string
  /** Starts at 1 and grows, because a failed formation can be submitted again. */
  submission: number
}

export const fileFormation = job('formation.file', {
  emits: ENDING_EVENTS,
  attempts: ATTEMPTS,
  foresee: async (_, submissions: Submission[]) => submissions.map(() => ({ kind: 'filing' })),
  async work(job, submission: Submission) {
    const asked = await job.transaction((context) => requestOf(context, submission))
    if (!asked) return
    const outcome = await outcomeOf(job, { ...asked, key: `${submission.formation}_${submission.submission}` })
    await job.finish(async (context) => {
      const formation = await submitted(context, submission)
      if (!formation) return
      if (outcome.state === 'by_hand') return
      if (outcome.state !== 'pending') return bookOutcome(context, formation, outcome)
      await context.enqueue(fileFormation, submission, { runAt: laterBy(context.now, POLL_INTERVAL_MS) })
    })
  },
})

interface FilingRequest {
  key: string
  filing: Filing
  today: string
  test: boolean
}

const AGENT_REMOVED = {
  state: 'failed',
  message: 'This service has no filing agent for the account any more. Nothing was filed.',
} as const

/** Rejects for a retry when the agent cannot be reached; the last attempt returns a failure instead. */
async function outcomeOf(job: JobContext, { test, ...asked }: FilingRequest): Promise<FilingOutcome> {
  const { services, signal, attempt } = job
  const agent = services.filings.agentFor({ test })
  if (!agent) return AGENT_REMOVED
  try {
    return await agent.file({ ...asked, signal })
  } catch (error) {
    if (attempt < ATTEMPTS) throw error
    return { state: 'failed', message: 'The filing agent could not be reached. Submit the formation again later.' }
  }
}

async function requestOf(context: Context, submission: Submission): Promise<Omit<FilingRequest, 'key'> | null> {
  const formation = await submitted(context, submission)
  return formation && { filing: filingOf(context, formation), today: context.now.slice(0, 10), test: context.test }
}

/** Returns the formation if the submission is its latest one and still pending. */
async function submitted(context: Context, { formation: id, submission }: Submission): Promise<FormationRow | null> {
  const formation = await findRow(context, Formation, id)
  return formation?.status === 'submitted' && formation.submissions === submission ? formation : null
}

/** Returns the data that the agent needs to file a formation, including people's tax numbers. */
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
