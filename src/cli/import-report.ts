import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import type { FileRemark, FileReport } from '../moving/run.ts'
import { counted } from '../words/counts.ts'
import { csvLine } from '../words/csv.ts'

/** Remarks that the terminal shows of each kind. */
const SHOWN = 30

const TITLES: Record<FileRemark['kind'], string> = {
  refused: 'Cannot be taken:',
  changed: 'Taken otherwise than written:',
  left_out: 'Left out:',
}

/** What an import says of rows: the first of each kind for the terminal, all of them for a file. */
export class RemarkLog {
  readonly path: string | null
  readonly first = new Map<FileRemark['kind'], FileRemark[]>()
  readonly counts = new Map<FileRemark['kind'], number>()
  readonly #file: WriteStream | null

  /** `path` is of the file that has all remarks; null for none. */
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

/** What an import did, or would do, for the terminal. */
export function reportLines(reports: readonly FileReport[], remarks: RemarkLog, dry: boolean): string[] {
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
