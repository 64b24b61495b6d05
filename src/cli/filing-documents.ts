import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { SettingError } from '../config.ts'
import type { Completed } from '../resources/company/formation/by_hand.ts'
import { MAX_DOCUMENT_BYTES } from '../resources/company/formation_document/keep.ts'

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

/** Documents from words such as `ein_letter=letter.pdf`. Throws SettingError over what is none. */
export async function readDocuments(given: readonly string[]): Promise<FiledDocument[]> {
  if (given.length > MOST) throw new SettingError(`A formation takes at most ${MOST} documents.`)
  const documents: FiledDocument[] = []
  for (const word of given) documents.push(await readDocument(word))
  return documents
}

async function readDocument(word: string): Promise<FiledDocument> {
  const [, type, path] = /^([a-z_]+)=(.+)$/s.exec(word) ?? []
  const document_type = DOCUMENT_TYPES.find((one) => one === type)
  if (document_type === undefined)
    throw new SettingError(`"${word}" is no document: write TYPE=FILE with one of ${DOCUMENT_TYPES.join(', ')}.`)
  const content_type = MEDIA_TYPES[extname(path!).toLowerCase()]
  if (content_type === undefined)
    throw new SettingError(`${path} needs an ending such as ${Object.keys(MEDIA_TYPES).join(', ')}.`)
  const found = await stat(path!).catch(() => null)
  if (!found?.isFile()) throw new SettingError(`There is no file ${path}.`)
  if (found.size > MAX_DOCUMENT_BYTES)
    throw new SettingError(`${path} has ${found.size} bytes; a document has at most ${MAX_DOCUMENT_BYTES}.`)
  return { document_type, name: basename(path!), content_type, content: await readFile(path!) }
}
