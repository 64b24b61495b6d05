import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import type { Completed } from '../resources/company/formation/by_hand.ts'
import { MAX_DOCUMENT_BYTES } from '../resources/company/formation_document/keep.ts'
import { counted } from '../words/counts.ts'
import { formatNumber } from '../words/numbers.ts'
import { UsageError } from './exit-codes.ts'
import { requireFile } from './files.ts'
import type { Terminal } from './terminal.ts'

type Place = Pick<Terminal, 'directory'>

export const DOCUMENT_TYPES = ['articles_of_organization', 'ein_letter', 'operating_agreement', 'other'] as const

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

/** Documents from words such as `ein_letter=letter.pdf`. Throws UsageError over what is none. */
export async function readDocuments(place: Place, given: readonly string[]): Promise<FiledDocument[]> {
  if (given.length > MOST) throw new UsageError(`A formation takes at most ${MOST} documents.`)
  const documents: FiledDocument[] = []
  for (const word of given) documents.push(await readDocument(place, word))
  return documents
}

async function readDocument(place: Place, word: string): Promise<FiledDocument> {
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
