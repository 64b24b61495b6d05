import { PRODUCT } from '../../../src/assembly.ts'
import { Descriptions } from '../../../src/contract/documents/descriptions/descriptions.ts'
import { resourceDocs, shownNouns } from '../../../src/contract/documents/resource-docs.ts'
import { toolsOf } from '../../../src/contract/documents/tools.ts'
import { Presenter } from '../../../src/pipeline/present.ts'

const { shop } = PRODUCT

const presenter = new Presenter(shop)
export const { findNoun } = presenter
export const operations = shop.flatMap((resource) => resource.operations)
export const nouns = shownNouns(operations, findNoun)
export const rows = toolsOf(operations, findNoun)

/** What `resources` says of a field, which the text is held against. */
export interface FieldDocs {
  type: string
  format?: string
  unit?: string
  description: string
  values?: string[]
  null?: string
  collapsed?: string
  expanded?: string
  holds?: string
  properties?: Record<string, string>
  writable?: string
  written_as?: string
  default?: unknown
  written?: FieldDocs
}
export interface Docs {
  fields: Record<string, FieldDocs>
  events: string[]
  expand?: string[]
  states?: Record<string, string[]>
  actions?: string[]
}
export const docs = resourceDocs(operations, findNoun) as unknown as Record<string, Docs>

const descriptions = new Descriptions(operations, findNoun)
/** Returns the answer of `describe` for names, in the program that `said` belongs to. */
export const textAfter = (said: Set<string>, ...what: string[]) =>
  descriptions.describe(
    what.map((one) => ({ what: one, found: [], bests: 0 })),
    said,
  )
/** Returns the answer of `describe` for names, in a new program. */
export const textOf = (...what: string[]) => textAfter(new Set(), ...what)
/** What it answers for words that find these operations. */
export const pageOf = (words: string, ...ids: string[]) =>
  descriptions.describe([
    {
      what: words,
      found: ids.map((id) => operations.findIndex((one) => one.id === id)),
      bests: Math.min(1, ids.length),
    },
  ])

export const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
