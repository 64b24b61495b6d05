import { cut } from '../../../contract/values/values.ts'
import type { FilingOutcome } from '../../../outside/filing/provider.ts'
import type { Context } from '../../../records/context.ts'
import { changeRow } from '../../../records/records.ts'
import { keepDocument } from '../formation_document/keep.ts'
import { Formation, type FormationRow } from './formation.ts'
import { tellEnd } from './tell.ts'

/** What of an agent's words is kept. */
const MAX_ERROR = 1000
const MAX_NOTES = 100
const MAX_NOTE = 500

/** What the end of a filing emits, the letter about it included. */
export const ENDING_EVENTS = ['formation.completed', 'formation.failed', 'email.created']

type Final = Extract<FilingOutcome, { state: 'completed' | 'failed' }>

/** Books what the filing agent says. Tax numbers are forgotten once they are of no more use. */
export async function bookOutcome(context: Context, formation: FormationRow, outcome: Final): Promise<void> {
  if (outcome.state === 'failed') {
    const changes = { status: 'failed', provider_error: cut(outcome.message, MAX_ERROR) } as const
    const failed = await changeRow(context, Formation, formation, changes)
    context.emit(Formation, 'failed', failed)
    return tellEnd(context, failed)
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
  await tellEnd(context, completed)
}
