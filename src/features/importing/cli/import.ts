import { createReadStream, createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { CommandError, exitCode, UsageError } from '../../../cli/exit-codes.ts'
import { requireFile, requireFolderFor } from '../../../cli/files.ts'
import { onlyAccount } from '../../../cli/only-account.ts'
import { didYouMean, readOptions, refuseWords } from '../../../cli/options.ts'
import type { Terminal } from '../../../cli/terminal.ts'
import { type Shop, withPipeline } from '../../../cli/with-pipeline.ts'
import { currencies, isTimeZone } from '../../../contract/values/values.ts'
import { counted } from '../../../format/counts.ts'
import { csvLine } from '../../../format/csv.ts'
import { listed } from '../../../format/lists.ts'
import { formatNumber } from '../../../format/numbers.ts'
import { collectGarbage } from '../../../runtime/collect-garbage.ts'
import { readSettings } from '../../../settings/config.ts'
import { SOURCES, type Source } from '../formats/format.ts'
import { TEMPLATES, templateText } from '../formats/plain/templates.ts'
import { UnreadableFileError } from '../formats/reading/table.ts'
import { type FileRemark, type FileReport, type ImportFile, runImport } from '../importers/run.ts'

const SHOWN = 30

const TITLES: Record<FileRemark['kind'], string> = {
  refused: 'Cannot be taken:',
  changed: 'Taken otherwise than written:',
  left_out: 'Left out:',
}

/** Collects the remarks of an import: the first of each kind for the terminal, and all of them in a report file. */
class RemarkLog {
  readonly path: string | null
  readonly first = new Map<FileRemark['kind'], FileRemark[]>()
  readonly counts = new Map<FileRemark['kind'], number>()
  readonly #file: WriteStream | null

  constructor(path: string | null) {
    this.path = path
    this.#file = path === null ? null : createWriteStream(path)
    this.#file?.on('error', () => {})
    this.#file?.write(csvLine(['file', 'line', 'column', 'kind', 'value', 'message']))
  }

  add(remark: FileRemark): void {
    const { file, line, column, kind, value, message } = remark
    const first = this.first.get(kind) ?? []
    this.first.set(kind, first)
    if (first.length < SHOWN) first.push(remark)
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
    this.#file?.write(csvLine([file, String(line), column, kind, value, message]))
  }

  async close(): Promise<void> {
    if (!this.#file) return
    this.#file.end()
    await finished(this.#file)
  }
}

const KINDS = Object.keys(TEMPLATES)

export const USAGE = `Imports products, customers, orders and subscriptions from files, whether or not a server is running.

  npm run import -- shopify FILE …       Shopify's exports of products, customers and orders
  npm run import -- stripe FILE …        Stripe's exports of products, prices, customers, subscriptions, payments and invoices
  npm run import -- csv FILE …           our own files, as npm run export writes them
  npm run import -- template KIND        prints our own file of ${listed(KINDS, 'or')}, to be filled in

  --dry-run            lists what would be done, and changes nothing
  --account ACCOUNT    the id or subdomain of the account, where there are several
  --currency CODE      of amounts without one, such as usd; the account's own by default
  --timezone ZONE      of dates without one, like Europe/Berlin; the account's own by default
  --report FILE        writes every row that is not taken, or taken otherwise, to FILE, in CSV

Files are known by their columns, and taken in the right order. Each row is taken once: after an interruption, the same command
goes on where it ended. Nothing is mailed or charged, and no webhook is sent.`

const OPTIONS = {
  account: 'the id or subdomain of an account',
  currency: 'a currency such as usd',
  timezone: 'a time zone, like Europe/Berlin',
  report: 'the name of a file',
}
const PROGRESS_MS = 2_000
/**
 * The size of the process in bytes above which it collects garbage, once every `COLLECTED_AFTER` transactions. This saves
 * hundreds of megabytes, but takes a fifth of a second or more.
 */
const COLLECTED_ABOVE = 240 * 1024 * 1024
const COLLECTED_AFTER = 15

interface ImportRequest {
  terminal: Terminal
  source: Source
  files: ImportFile[]
  options: Partial<Record<keyof typeof OPTIONS, string>>
  dry: boolean
}

export async function importFiles(terminal: Terminal): Promise<number> {
  const { words, options, flags } = readOptions(terminal.args, OPTIONS, USAGE, ['dry-run'])
  const [given, ...names] = words
  if (given === 'template') return printTemplate(terminal, names)
  const source = SOURCES.find((one) => one === given)
  if (given === undefined) throw new UsageError(USAGE)
  if (!source) throw new UsageError(`There is no source ${given}.${didYouMean(given, [...SOURCES])}`, USAGE)
  if (names.length === 0) throw new UsageError('Name the files to import.', USAGE)
  const files = await Promise.all(names.map((name) => fileOf(terminal, name)))
  const settings = readSettings(terminal.environment)
  const request = { terminal, source, files, options: checked(options), dry: flags.has('dry-run') }
  return withPipeline(settings, (shop) => run(shop, request)).catch((error) => {
    throw error instanceof UnreadableFileError ? new CommandError('usage', error.message) : error
  })
}

async function printTemplate(terminal: Terminal, [kind, ...more]: string[]): Promise<number> {
  refuseWords(more, USAGE)
  const template = TEMPLATES[kind ?? '']
  if (!template) throw new UsageError(`Name the template: ${listed(KINDS, 'or')}.`, USAGE)
  terminal.print(templateText(template).trimEnd())
  return exitCode('done')
}

async function fileOf(terminal: Terminal, name: string): Promise<ImportFile> {
  const path = await requireFile(terminal, name)
  return { name, open: () => createReadStream(path) }
}

function checked(options: ImportRequest['options']): ImportRequest['options'] {
  const { currency, timezone } = options
  if (currency !== undefined && !currencies.has(currency.toLowerCase()))
    throw new UsageError(`--currency needs a currency such as usd, not "${currency}".`)
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new UsageError(`--timezone needs a time zone, like Europe/Berlin, not "${timezone}".`)
  return options
}

async function run(
  { database, pipeline }: Shop,
  { terminal, source, files, options, dry }: ImportRequest,
): Promise<number> {
  const { id: accountId, name } = await onlyAccount(database, options.account)
  const own = await database.read
    .selectFrom('accounts')
    .select(['default_currency', 'timezone'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const caller = { kind: 'provider', accountId, provider: 'operator' } as const
  const stop = new AbortController()
  terminal.onStop(() => stop.abort())
  const remarks = new RemarkLog(options.report === undefined ? null : await requireFolderFor(terminal, options.report))
  terminal.complain(`${dry ? 'Looking at' : 'Importing into'} ${name} (${accountId}).`)
  try {
    const reports = await runImport(
      {
        read: (work) => pipeline.visits.look(caller, work),
        transaction: (work) => pipeline.visits.act(caller, [], work),
        signal: stop.signal,
      },
      files,
      {
        ...{ source, dry, currency: options.currency?.toLowerCase() ?? own.default_currency },
        timeZone: options.timezone ?? own.timezone,
        onRemark: (remark) => remarks.add(remark),
        onProgress: progressOf(terminal),
      },
    )
    for (const line of reportLines(reports, remarks, dry)) terminal.print(line)
    return exitCode('done')
  } catch (error) {
    if (!stop.signal.aborted) throw error
    throw new CommandError('stopped', 'Stopped. What was taken stays; the same command goes on from there.')
  } finally {
    await remarks.close()
  }
}

function progressOf(terminal: Terminal): (report: Readonly<FileReport>) => void {
  let last = performance.now()
  let transactions = 0
  return ({ file, things, progress }) => {
    if (++transactions % COLLECTED_AFTER === 0 && process.memoryUsage.rss() > COLLECTED_ABOVE) collectGarbage()
    if (performance.now() - last < PROGRESS_MS) return
    last = performance.now()
    terminal.complain(`${file}: ${formatNumber(things)} read, ${Math.floor(progress * 100)}%`)
  }
}

function reportLines(reports: readonly FileReport[], remarks: RemarkLog, dry: boolean): string[] {
  const kinds = ['refused', 'changed', 'left_out'] as const
  return [
    ...reports.flatMap((report) => linesOf(report, dry)),
    ...kinds.flatMap((kind) => remarksOf(kind, remarks)),
    ...(remarks.path === null ? [] : ['', `Every remark is in ${remarks.path}.`]),
    ...(dry ? ['', 'Nothing was changed. The same command without --dry-run imports it.'] : []),
  ]
}

function linesOf(report: FileReport, dry: boolean): string[] {
  const { file, format, columns, encoding, delimiter } = report
  const cells = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }[delimiter] ?? delimiter
  return [
    `${file}: ${format.name} (${encoding}, cells divided by ${cells})`,
    ...countsOf(report, dry).map((line) => `  ${line}`),
    ...(columns.known.length > 0 ? [`  Columns without a place here: ${columns.known.join(', ')}`] : []),
    ...(columns.unknown.length > 0 ? [`  Unknown columns, not taken: ${columns.unknown.join(', ')}`] : []),
  ]
}

function countsOf(report: FileReport, dry: boolean): string[] {
  const { format, made, existing, again, prices, customers, products, refused, leftOut, changed } = report
  const one = format.kind.slice(0, -1)
  const waiting = format.kind === 'subscriptions' && made > 0 ? '; those that go on wait here, paused' : ''
  const withPrices = prices > 0 ? ` with ${counted(prices, 'price')}` : ''
  const lines: [number, string][] = [
    [1, `${dry ? 'would make ' : ''}${counted(made, `new ${one}`)}${withPrices}${waiting}`],
    [existing, `${counted(existing, one)} here by e-mail address, left as ${existing === 1 ? 'it is' : 'they are'}`],
    [again, `${counted(again, one)} imported before`],
    [customers, `${counted(customers, 'new customer')} known from these alone`],
    [products, `${counted(products, 'archived product')} for what is not sold here`],
    [changed, `${counted(changed, one)} taken otherwise than written`],
    [leftOut, `${counted(leftOut, one)} left out`],
    [refused, `${counted(refused, one)} cannot be taken`],
  ]
  return lines.filter(([count]) => count > 0).map(([, line]) => line)
}

function remarksOf(kind: FileRemark['kind'], { first, counts, path }: RemarkLog): string[] {
  const shown = first.get(kind) ?? []
  const more = (counts.get(kind) ?? 0) - shown.length
  if (shown.length === 0) return []
  const rest =
    more > 0 ? [`  and ${counted(more, 'more', 'more')}${path === null ? '; --report FILE lists all' : ''}`] : []
  return ['', TITLES[kind], ...shown.map((remark) => `  ${inWords(remark)}`), ...rest]
}

function inWords({ file, line, column, value, message }: FileRemark): string {
  const place = `${file} line ${line}`
  if (column === '') return `${place}: ${message}`
  return `${place}, ${column}: ${value === '' ? '' : `${JSON.stringify(value)} `}${message}`
}
