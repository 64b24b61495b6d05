import { readSettings, type Settings } from '../config.ts'
import { ApiError } from '../contract/declarations/errors.ts'
import type { Context } from '../records/context.ts'
import { completeByHand, failByHand } from '../resources/company/formation/by_hand.ts'
import { ENDING_EVENTS } from '../resources/company/formation/filed.ts'
import { counted } from '../words/counts.ts'
import { inColumns } from './columns.ts'
import { CommandError, UsageError } from './exit-codes.ts'
import { DOCUMENT_TYPES, readDocuments } from './filing-documents.ts'
import { listFilings, requiredFiling, shownFiling } from './filing-list.ts'
import { readOptions, refuseWords, unknownVerb } from './options.ts'
import type { Terminal } from './terminal.ts'
import { withDatabase } from './with-database.ts'
import { withPipeline } from './with-pipeline.ts'

export const USAGE = `Files company formations by hand, whether or not a server is running. Set FILING_AGENT=by_hand so that live accounts can submit them.

  npm run filings -- list [--all]               lists formations that are waiting to be filed, or all of them
  npm run filings -- show ID [--tax-numbers]    shows everything needed to file it
  npm run filings -- complete ID --ein EIN [--filed-on DATE] [--note TEXT] [TYPE=FILE …]
                                                records that it was filed, with its documents
  npm run filings -- fail ID --reason TEXT [--refund]
                                                records that it cannot be filed; --refund refunds the fee

DATE defaults to today. TYPE is one of ${DOCUMENT_TYPES.join(', ')}; FILE is a PDF, HTML or text file or an
image. The person who started the formation receives an e-mail.`

const OPTIONS = {
  ein: 'the employer identification number, such as 12-3456789',
  'filed-on': 'the date on which it was filed, such as 2026-01-15',
  note: 'a note for the account',
  reason: 'a sentence that says why, for the account',
}
const FLAGS = ['all', 'tax-numbers', 'refund'] as const

interface Request {
  terminal: Terminal
  settings: Settings
  id: string
  more: string[]
  options: Partial<Record<keyof typeof OPTIONS, string>>
  flags: ReadonlySet<(typeof FLAGS)[number]>
}

/** `filings list|show|complete|fail`. */
export async function filings(terminal: Terminal): Promise<number> {
  const [verb, ...args] = terminal.args
  const run = { list, show, complete, fail }[verb ?? '']
  if (!run) throw unknownVerb(verb, ['list', 'show', 'complete', 'fail'], USAGE)
  const { words, options, flags } = readOptions(args, OPTIONS, USAGE, FLAGS)
  const [id = '', ...more] = run === list ? ['', ...words] : words
  if (run !== list && id === '') throw new UsageError(`Say which formation to ${verb}, by its id.`, USAGE)
  if (run !== complete) refuseWords(more, USAGE)
  return run({ terminal, settings: readSettings(terminal.environment), id, more, options, flags })
}

async function list({ terminal, settings, flags }: Request): Promise<number> {
  const all = flags.has('all')
  const rows = await withDatabase(settings, (database) => listFilings(database, { all }))
  for (const line of inColumns(rows)) terminal.print(line)
  if (rows.length === 0) terminal.complain(all ? 'There are no formations.' : 'No formation waits to be filed.')
  return 0
}

async function show({ terminal, settings, id, flags }: Request): Promise<number> {
  const shown = await within(settings, id, [], (context) =>
    shownFiling(context, id, { taxNumbers: flags.has('tax-numbers') }),
  )
  terminal.print(JSON.stringify(shown, null, 2))
  return 0
}

async function complete({ terminal, settings, id, more, options }: Request): Promise<number> {
  const { ein, note, 'filed-on': filedOn } = options
  if (ein === undefined || !/^\d{2}-\d{7}$/.test(ein))
    throw new UsageError('--ein needs an employer identification number such as 12-3456789.')
  if (filedOn !== undefined && !isDate(filedOn)) throw new UsageError('--filed-on needs a date such as 2026-01-15.')
  const documents = await readDocuments(terminal, more)
  await within(settings, id, ENDING_EVENTS, (context) => {
    const filed_on = filedOn ?? context.now.slice(0, 10)
    return completeByHand(context, id, { ein, filed_on, notes: note === undefined ? [] : [note], documents })
  })
  terminal.print(`Completed ${id} with ${counted(documents.length, 'document')}.`)
  return 0
}

async function fail({ terminal, settings, id, options, flags }: Request): Promise<number> {
  const { reason: message } = options
  if (message === undefined) throw new UsageError('--reason needs a sentence that says why, for the account.')
  const refund = flags.has('refund')
  await within(settings, id, ENDING_EVENTS, (context) => failByHand(context, id, { message, refund }))
  terminal.print(`Failed ${id}.${refund ? ' Its fee is given back.' : ''}`)
  return 0
}

function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  )
}

/** Runs `work` in a transaction of the account that has the formation. */
function within<Value>(
  settings: Settings,
  id: string,
  emits: readonly string[],
  work: (context: Context) => Promise<Value>,
): Promise<Value> {
  return withPipeline(settings, async ({ database, pipeline }) => {
    const accountId = await requiredFiling(database, id)
    try {
      return await pipeline.visits.act({ kind: 'provider', accountId, provider: 'by_hand' }, emits, work)
    } catch (error) {
      throw error instanceof ApiError ? new CommandError('refused', error.message) : error
    }
  })
}
