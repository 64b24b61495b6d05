import type { Noun } from '../../contract/declarations/noun.ts'
import type { OperationDeclaration } from '../../contract/declarations/operation.ts'
import type { FindNoun } from '../../contract/documents/schemas.ts'
import { sentenceCase } from '../../format/sentences.ts'

export interface Catalogue {
  operations: readonly OperationDeclaration[]
  nouns: readonly Noun[]
  findNoun: FindNoun
}

export function operationPath(id: string): string {
  return `/docs/api/${id}`
}

export function resourcePath(name: string): string {
  return `/docs/resources/${name}`
}

export function grouped(operations: readonly OperationDeclaration[]): Map<string, OperationDeclaration[]> {
  return Map.groupBy(operations, ({ group }) => group)
}

const SPECIAL_WORDS: Record<string, string> = { Ai: 'AI' }

/** `PriceVariants` becomes `Price variants`. */
export function groupTitle(group: string): string {
  const [first = '', ...rest] = group.split(/(?=[A-Z])/)
  return [SPECIAL_WORDS[first] ?? first, ...rest.map((word) => word.toLowerCase())].join(' ')
}

/** `price_variant` becomes `Price variant`. */
export function resourceTitle(name: string): string {
  const [first = '', ...rest] = name.split('_')
  const start = sentenceCase(first)
  return [SPECIAL_WORDS[start] ?? start, ...rest].join(' ')
}
