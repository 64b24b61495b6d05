import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { CommandError, UsageError } from '../../../cli/exit-codes.ts'
import { requireFile } from '../../../cli/files.ts'
import { actionOf, readOptions, refuseWords } from '../../../cli/options.ts'
import { printRows, type Terminal } from '../../../cli/terminal.ts'
import { withDatabase } from '../../../cli/with-database.ts'
import { withPipeline } from '../../../cli/with-pipeline.ts'
import { ApiError } from '../../../contract/declarations/errors.ts'
import type { Database } from '../../../database/database.ts'
import { replacing } from '../../../errors.ts'
import { counted } from '../../../format/counts.ts'
import { formatNumber } from '../../../format/numbers.ts'
import type { Context } from '../../../records/context.ts'
import { requireRow } from '../../../records/records.ts'
import type { Tables } from '../../../resources/tables.ts'
import { readSettings, SettingError, type Settings } from '../../../settings/config.ts'
import { type Completed, completeByHand, ENDING_EVENTS, failByHand, filingOf } from '../resources/formation/filing.ts'
import { Formation } from '../resources/formation/formation.ts'
import { MAX_DOCUMENT_BYTES } from '../resources/formation-document/contents.ts'

type WorkingDirectory = Pick<Terminal, 'directory'>

const DOCUMENT_TYPES = ['articles_of_organization', 'ein_letter', 'operating_agreement', 'other'] as const

const MEDIA_TYPES: Record<string, string> = {
  '.pdf': 'application/pdf',
  '.html': 'text/html; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
}
type FiledDocument = Completed['documents'][number]

const MOST = 20

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

interface FilingRequest {
  terminal: Terminal
  settings: Settings
  id: string
  more: string[]
  options: Partial<Record<keyof typeof OPTIONS, string>>
  flags: ReadonlySet<(typeof FLAGS)[number]>
}

export async function filings(terminal: Terminal): Promise<number> {
  const { run, verb, args } = actionOf(terminal.args, { list, show, complete, fail }, USAGE)
  const { words, options, flags } = readOptions(args, OPTIONS, USAGE, FLAGS)
  const [id = '', ...more] = run === list ? ['', ...words] : words
  if (run !== list && id === '') throw new UsageError(`Say which formation to ${verb}, by its id.`, USAGE)
  if (run !== complete) refuseWords(more, USAGE)
  return run({ terminal, settings: readSettings(terminal.environment), id, more, options, flags })
}

async function list({ terminal, settings, flags }: FilingRequest): Promise<number> {
  const all = flags.has('all')
  const rows = await withDatabase(settings, (database) => listFilings(database, { all }))
  printRows(terminal, rows, all ? 'There are no formations.' : 'No formation waits to be filed.')
  return 0
}

async function show({ terminal, settings, id, flags }: FilingRequest): Promise<number> {
  const shown = await actOnFiling(settings, id, [], (context) =>
    shownFiling(context, id, { taxNumbers: flags.has('tax-numbers') }),
  )
  terminal.print(JSON.stringify(shown, null, 2))
  return 0
}

async function complete({ terminal, settings, id, more, options }: FilingRequest): Promise<number> {
  const { ein, note, 'filed-on': filedOn } = options
  if (ein === undefined || !/^\d{2}-\d{7}$/.test(ein))
    throw new UsageError('--ein needs an employer identification number such as 12-3456789.')
  if (filedOn !== undefined && !isDate(filedOn)) throw new UsageError('--filed-on needs a date such as 2026-01-15.')
  const documents = await readDocuments(terminal, more)
  await actOnFiling(settings, id, ENDING_EVENTS, (context) => {
    const filed_on = filedOn ?? context.now.slice(0, 10)
    return completeByHand(context, id, { ein, filed_on, notes: note === undefined ? [] : [note], documents })
  })
  terminal.print(`Completed ${id} with ${counted(documents.length, 'document')}.`)
  return 0
}

async function fail({ terminal, settings, id, options, flags }: FilingRequest): Promise<number> {
  const { reason: message } = options
  if (message === undefined) throw new UsageError('--reason needs a sentence that says why, for the account.')
  const refund = flags.has('refund')
  await actOnFiling(settings, id, ENDING_EVENTS, (context) => failByHand(context, id, { message, refund }))
  terminal.print(`Failed ${id}.${refund ? ' Its fee is given back.' : ''}`)
  return 0
}

function isDate(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)
  )
}

function actOnFiling<Value>(
  settings: Settings,
  id: string,
  emits: readonly string[],
  work: (context: Context) => Promise<Value>,
): Promise<Value> {
  return withPipeline(settings, async ({ database, pipeline }) => {
    const accountId = await accountOfFiling(database, id)
    const acted = pipeline.visits.act({ kind: 'provider', accountId, provider: 'by_hand' }, emits, work)
    return acted.catch(replacing(ApiError, ({ message }) => new CommandError('refused', message)))
  })
}

/** Reads documents from arguments such as `ein_letter=letter.pdf`. Throws UsageError. */
async function readDocuments(place: WorkingDirectory, given: readonly string[]): Promise<FiledDocument[]> {
  if (given.length > MOST) throw new UsageError(`A formation takes at most ${MOST} documents.`)
  const documents: FiledDocument[] = []
  for (const word of given) documents.push(await readDocument(place, word))
  return documents
}

async function readDocument(place: WorkingDirectory, word: string): Promise<FiledDocument> {
  const [, type, path] = /^([a-z_]+)=(.+)$/s.exec(word) ?? []
  const document_type = DOCUMENT_TYPES.find((one) => one === type)
  if (document_type === undefined)
    throw new UsageError(`"${word}" is no document: write TYPE=FILE with one of ${DOCUMENT_TYPES.join(', ')}.`)
  const content_type = MEDIA_TYPES[extname(path!).toLowerCase()]
  if (content_type === undefined)
    throw new UsageError(`${path} needs an ending such as ${Object.keys(MEDIA_TYPES).join(', ')}.`)
  const file = await requireFile(place, path!)
  const { size } = await stat(file)
  if (size > MAX_DOCUMENT_BYTES)
    throw new UsageError(
      `${path} has ${counted(size, 'byte')}; a document has at most ${formatNumber(MAX_DOCUMENT_BYTES)}.`,
    )
  return { document_type, name: basename(file), content_type, content: await readFile(file) }
}

async function listFilings({ read }: Database<Tables>, { all }: { all: boolean }): Promise<string[][]> {
  const rows = read
    .selectFrom('formations')
    .innerJoin('accounts', 'accounts.account_id', 'formations.account_id')
    .select(['formations.id', 'accounts.subdomain', 'accounts.test', 'formations.status', 'formations.payment_status'])
    .select(['formations.state', 'formations.name_options', 'formations.submitted_at'])
    .orderBy('formations.id')
  const found = await (all ? rows : rows.where('formations.status', '=', 'submitted')).execute()
  return found.map((row) => [
    row.id,
    row.subdomain,
    `${row.status}, ${row.payment_status}`,
    row.state,
    row.submitted_at ? `submitted ${row.submitted_at}` : 'not submitted',
    firstName(row.name_options as unknown as string),
    row.test ? 'test account' : '',
  ])
}

function firstName(stored: string): string {
  const [first] = JSON.parse(stored) as { name: string; entity_type_ending: string }[]
  return first ? `${first.name} ${first.entity_type_ending}` : ''
}

async function accountOfFiling({ read }: Database<Tables>, id: string): Promise<string> {
  const found = await read.selectFrom('formations').select('account_id').where('id', '=', id).executeTakeFirst()
  if (found) return found.account_id
  throw new SettingError(`There is no formation ${id}; npm run filings -- list --all shows those there are.`)
}

/** Returns the data for filing a formation. Tax numbers are included only on request. */
async function shownFiling(context: Context, id: string, { taxNumbers }: { taxNumbers: boolean }) {
  const formation = await requireRow(context, Formation, id)
  const { status, payment_status, submitted_at, sealed_tax_numbers } = formation
  const { members, responsible_party, ...filing } = filingOf(context, formation)
  const shown = (person: (typeof members)[number] | typeof responsible_party) =>
    taxNumbers ? person : { ...person, tax_id: person.tax_id && 'given; add --tax-numbers' }
  return {
    ...{ id, status, payment_status, submitted_at, has_tax_numbers: sealed_tax_numbers !== null, ...filing },
    members: members.map(shown),
    responsible_party: shown(responsible_party),
  }
}
