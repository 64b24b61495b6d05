import { ApiError } from '../../../../contract/declarations/errors.ts'
import { cut, laterBy } from '../../../../contract/values/values.ts'
import { isolated } from '../../../../format/direction.ts'
import type { Context } from '../../../../records/context.ts'
import { type JobContext, job } from '../../../../records/job.ts'
import { changeRow, findRow, requireRow } from '../../../../records/records.ts'
import { rowsOf } from '../../../../records/rows-of.ts'
import { usersOfAccount } from '../../../../resources/company/user/current.ts'
import { letter } from '../../../../resources/messages/email/service-mail.ts'
import { type Letter, type Part, subjectLine, words } from '../../../../resources/messages/email/templates/letter.ts'
import { returnMoney } from '../../../../resources/sales/payment/settle.ts'
import type { Filing, FilingAgent, FilingOutcome, FilingRequest } from '../../providers/provider.ts'
import { keepDocument } from '../formation-document/contents.ts'
import { Formation, type FormationRow } from './formation.ts'
import { openNumbers } from './tax-numbers.ts'

/** Limits of the stored error message and notes, in characters, and of the number of notes. */
const MAX_ERROR = 1000
const MAX_NOTES = 100
const MAX_NOTE = 500

/** The event types that the end of a filing may emit, including that of the e-mail about it. */
export const ENDING_EVENTS = ['formation.completed', 'formation.failed', 'email.created']

type FinalOutcome = Extract<FilingOutcome, { state: 'completed' | 'failed' }>

/** Records the outcome from the filing agent. Deletes the tax numbers of a completed formation, because they are no longer needed. */
async function bookOutcome(context: Context, formation: FormationRow, outcome: FinalOutcome): Promise<void> {
  if (outcome.state === 'failed') {
    const changes = { status: 'failed', provider_error: cut(outcome.message, MAX_ERROR) } as const
    const failed = await changeRow(context, Formation, formation, changes)
    context.emit(Formation, 'failed', failed)
    return notifyEnd(context, failed)
  }
  for (const document of outcome.documents) await keepDocument(context, formation.id, document)
  const completed = await changeRow(context, Formation, formation, {
    status: 'completed',
    ein: outcome.ein,
    formation_filing_date: outcome.filed_on,
    admin_notes: outcome.notes.slice(0, MAX_NOTES).map((note) => cut(note, MAX_NOTE)),
    sealed_tax_numbers: null,
  })
  context.emit(Formation, 'completed', completed)
  await notifyEnd(context, completed)
}

/** Notifies the person who started a formation of its outcome, or the owners if that person has left. */
async function notifyEnd(context: Context, formation: FormationRow): Promise<void> {
  const people = await usersOfAccount(context)
  const founders = people.filter(({ id }) => id === formation.founder)
  const told = founders.length > 0 ? founders : people.filter(({ role }) => role === 'owner')
  const { id, status, state, ein, provider_error: reason, name_options, payment_status } = formation
  const [first] = name_options
  const data = {
    id,
    name: `${first!.name} ${first!.entity_type_ending}`,
    ...{ state, ein, reason, completed: status === 'completed', refunded: payment_status === 'refunded' },
    url: `${context.publicUrl}/dashboard`,
  }
  for (const { email: to } of told) await queueFormationEnd(context, { to, customer: null }, data)
}

interface FormationEndData {
  id: string
  /** The company's preferred name. */
  name: string
  /** The two-letter code. */
  state: string
  completed: boolean
  ein: string | null
  /** The reason why the formation could not be filed; null if it was completed. */
  reason: string | null
  refunded: boolean
  url: string
}

const queueFormationEnd = letter('account_notice', formationEndLetter)

function formationEndLetter(data: FormationEndData): Letter {
  const { id, name, state, completed, ein, url } = data
  const heading = subjectLine(completed ? `${isolated(name)} is formed` : `${isolated(name)} could not be filed`)
  const facts = [
    { label: 'State', value: state },
    ...(ein === null ? [] : [{ label: 'EIN', value: ein }]),
    { label: 'Formation', value: id },
  ]
  return {
    subject: heading,
    preview: heading,
    heading,
    parts: [...explanation(data), { kind: 'facts', rows: facts }, { kind: 'link', label: 'Open the dashboard', url }],
  }
}

function explanation({ completed, reason, refunded }: FormationEndData): Part[] {
  if (completed) return [words('The company is filed. Its documents are ready to download, under Formations.')]
  const next = refunded ? 'Its price was given back.' : 'You can submit it again without paying again.'
  return [words(reason ?? 'The filing agent gave no reason.'), words(next)]
}

export type Completed = Omit<Extract<FilingOutcome, { state: 'completed' }>, 'state'>

/** Records that people filed a formation. Throws a 400 unless the formation was submitted. */
export async function completeByHand(context: Context, id: string, filed: Completed): Promise<void> {
  const formation = await requireRow(context, Formation, id)
  if (formation.status !== 'submitted') throw refused(formation, 'completed: it was not submitted')
  await bookOutcome(context, formation, { state: 'completed', ...filed })
}

interface FilingFailure {
  message: string
  refund: boolean
}

/** Records that a formation cannot be filed. Throws a 400 unless it was submitted or, for a refund, unless it is paid and not completed. */
export async function failByHand(context: Context, id: string, { message, refund }: FilingFailure): Promise<void> {
  const formation = await requireRow(context, Formation, id)
  const isPaid = formation.payment_status === 'paid' && formation.status !== 'completed'
  if (refund && !isPaid) throw refused(formation, 'refunded')
  if (!refund && formation.status !== 'submitted') throw refused(formation, 'failed: it was not submitted')
  const left = refund ? await refundFee(context, formation) : formation
  await bookOutcome(context, left, { state: 'failed', message })
}

function refused({ status, payment_status }: FormationRow, done: string): ApiError {
  return new ApiError('invalid_state', `The formation is ${status} and ${payment_status}, so it cannot be ${done}.`)
}

/** Refunds the fee and deletes the tax numbers, because the formation will never be filed. */
async function refundFee(context: Context, formation: FormationRow): Promise<FormationRow> {
  const paid = rowsOf(context, 'payments')
    .select(['id', 'provider', 'reference', 'amount', 'currency'])
    .where('checkout', '=', formation.checkout)
  const payment = await paid.where('status', '=', 'succeeded').executeTakeFirst()
  if (payment && payment.reference !== null && payment.amount > 0)
    await context.enqueue(returnMoney, { ...payment, payment: payment.id, reference: payment.reference })
  return changeRow(context, Formation, formation, { payment_status: 'refunded', sealed_tax_numbers: null })
}

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

type RequestByJob = Omit<FilingRequest, 'signal'> & { test: boolean }

const AGENT_REMOVED = {
  state: 'failed',
  message: 'This service has no filing agent for the account any more. Nothing was filed.',
} as const

/** Rejects for a retry when the agent cannot be reached; the last attempt returns a failure instead. */
async function outcomeOf(job: JobContext, { test, ...asked }: RequestByJob): Promise<FilingOutcome> {
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

async function requestOf(context: Context, submission: Submission): Promise<Omit<RequestByJob, 'key'> | null> {
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

const NOBODY_FILES =
  'Nobody files formations for live accounts on this service, so nothing is charged. Ask whoever runs it to set that up; a test account can try one out.'

type FormationState = Pick<FormationRow, 'status' | 'payment_status'>

export function actionsOf({ status, payment_status }: FormationState): string[] {
  const isFiled = status === 'submitted' || status === 'completed'
  return Formation.states![status]!.filter((action) =>
    action === 'submit' ? isFiled || payment_status === 'paid' : payment_status === 'unpaid',
  )
}

/** Throws a 400 when the account has no filing agent, because nobody should pay for a formation that cannot be filed. */
export function requireAgent({ services, test }: Pick<Context, 'services' | 'test'>): FilingAgent {
  const agent = services.filings.agentFor({ test })
  if (agent) return agent
  throw new ApiError('invalid_state', NOBODY_FILES)
}
