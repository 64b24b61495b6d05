import { withStop } from '../../../format/sentences.ts'
import type { FieldSpec } from '../../declarations/field.ts'
import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import type { FindNoun } from '../schemas.ts'
import type { TextPart } from './answer.ts'
import { outlinePart } from './resource.ts'
import { callPart, callWords } from './signature.ts'
import { KEY_BYTES } from './type-word.ts'

/** In bytes: the maximum size of a single page, that of several pages together, and the size that each page may always have. */
const MAX_PAGE_BYTES = 4096
const MAX_BYTES_OF_SEVERAL = 6000
const MIN_PAGE_BYTES = 1000
/** The maximum total size of a page's recipes and that of its paragraphs, in bytes. */
const MAX_RECIPE_BYTES = 1900
const MAX_PARAGRAPH_BYTES = 1800
const BEST_SHARE = 0.8
/** The maximum number of alternatives on all pages together, and the same for a question whose parts match several operations. */
const MAX_OTHERS = 5
const MAX_OTHERS_OF_TASK = 2

export interface PageSources {
  operations: readonly OperationDeclaration[]
  findNoun(name: string): Noun | undefined
  operation(operation: OperationDeclaration): TextPart
  paragraphs: readonly TextPart[]
  /** Recipes that match the question, best first. */
  recipes: readonly TextPart[]
  pages: number
  /** The number of leading operations that each match a part of the question best. */
  bests: number
}

/**
 * Returns a page about a question in plain words: recipes, the best operations, and, if there is room, the lists that find the needed ids,
 * the fields of the resources, and alternative operations. One operation without a recipe is described in full, others in a paragraph each.
 */
export function page(found: readonly OperationDeclaration[], given: PageSources): TextPart[] {
  const { pages } = given
  const most = pages > 1 ? Math.max(MIN_PAGE_BYTES, MAX_BYTES_OF_SEVERAL / pages) : MAX_PAGE_BYTES
  const paragraphs = withinBytes(given.paragraphs, MAX_PARAGRAPH_BYTES)
  const bests = found.slice(0, given.bests)
  const calls = bests.map(callPart)
  const left = pages > 1 ? most - sizeOf(calls.slice(0, 1)) : most
  const recipes = withinBytes(given.recipes, Math.min(MAX_RECIPE_BYTES, left))
  const room = new PageBudget(most - KEY_BYTES - sizeOf([...recipes, ...paragraphs]))
  const others = alternatives(found, given)
  const [best] = bests
  const isWhole = bests.length === 1 && recipes.length === 0 && pages === 1
  const shown = best && isWhole ? wholeParts(best, { room, others, given }) : room.takeAll([...calls, ...others])
  return [...recipes, ...shown, ...paragraphs]
}

/** Describes one operation in full, then the lists that find the needed ids, outlines of the resources, and alternatives. */
function wholeParts(
  best: OperationDeclaration,
  { room, others, given }: { room: PageBudget; others: TextPart[]; given: PageSources },
): TextPart[] {
  const needed = neededNouns(best, given.findNoun)
  const lists = needed
    .flatMap((noun) => findingLists(noun, given.operations, given.findNoun))
    .filter((list) => list !== best)
  const ways = [...new Set(lists)].map(findPart)
  const most = Math.max(room.left - sizeOf([...ways, ...others]), Math.floor(room.left * BEST_SHARE))
  const outlines = [...new Set([best.noun, ...needed])].map(outlinePart)
  return [...room.takeAll([given.operation(best)], most), ...room.takeAll([...ways, ...outlines, ...others])]
}

/** Returns the names of operations that the question may mean instead. */
function alternatives(found: readonly OperationDeclaration[], { bests, pages }: PageSources): TextPart[] {
  const most = (bests > 1 ? MAX_OTHERS_OF_TASK : MAX_OTHERS) / pages
  return found
    .slice(bests)
    .filter(({ kind }) => kind !== 'retrieve')
    .slice(0, most)
    .map(({ id, method, path, summary }) => ({ key: `Or ${id}`, text: `Or ${method} ${path}: ${withStop(summary)}` }))
}

function withinBytes(parts: readonly TextPart[], most: number): TextPart[] {
  let left = most
  return parts.filter(({ text }) => {
    const fits = bytes(text) <= left
    if (fits) left -= bytes(text)
    return fits
  })
}

function sizeOf(parts: readonly TextPart[]): number {
  return parts.reduce((sum, { text }) => sum + bytes(text) + 1, 0)
}

function findPart(list: OperationDeclaration): TextPart {
  return { key: `Find ${list.id}`, text: `Find ${list.noun.name}: ${callWords(list)}` }
}

/** The remaining bytes of a page. A part that does not fit is cut after a line, with a note on how to get the rest. */
class PageBudget {
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  get left(): number {
    return this.#left
  }

  takeAll(parts: readonly TextPart[], most = Number.POSITIVE_INFINITY): TextPart[] {
    const least = Math.max(0, this.#left - most)
    return parts.flatMap((part) => {
      const text = fitted(part, this.#left - least - 1)
      if (text === '') return []
      this.#left -= bytes(text) + 1
      return [{ ...part, text }]
    })
  }
}

/** A part that would be cut to fewer lines is dropped. */
const MIN_LINES = 3

function fitted({ key, text }: TextPart, room: number): string {
  if (bytes(text) <= room) return text
  const more = `… more: describe(${JSON.stringify(key)})`
  const lines = text.split('\n')
  while (lines.length > 0 && bytes(lines.join('\n')) + bytes(more) + 1 > room) lines.pop()
  return lines.length < MIN_LINES ? '' : [...lines, more].join('\n')
}

function bytes(text: string): number {
  return Buffer.byteLength(text)
}

/** Returns the resources whose ids an operation needs: that of its path and those of required references. */
function neededNouns(operation: OperationDeclaration, findNoun: FindNoun): Noun[] {
  const required = Object.values(operation.body ?? {}).filter(({ spec }) => spec.required && spec.relation)
  const own = operation.path.includes(`/${operation.noun.plural}/{`) ? [operation.noun] : []
  const others = required.map(({ spec }) => findNoun(spec.relation!.noun)).filter((noun) => noun !== undefined)
  return [...new Set([...own, ...others])]
}

/** Returns the lists that can find a row: the resource's own and, if it has no text filter, a related list that has one. */
function findingLists(
  noun: Noun,
  operations: readonly OperationDeclaration[],
  findNoun: FindNoun,
): OperationDeclaration[] {
  const list = listOf(noun, operations)
  if (!list) return []
  if (hasTextFilter(list)) return [list]
  const through = Object.values(list.query)
    .map(({ spec }) => spec.relation && findNoun(spec.relation.noun))
    .map((other) => other && listOf(other, operations))
    .find((other) => other !== undefined && hasTextFilter(other))
  return through ? [list, through] : [list]
}

function listOf(noun: Noun, operations: readonly OperationDeclaration[]): OperationDeclaration | undefined {
  return operations.find((operation) => operation.kind === 'list' && operation.noun === noun)
}

function hasTextFilter({ query }: OperationDeclaration): boolean {
  return ['query', 'email', 'code', 'name'].some((name) => isText(query[name]?.spec))
}

function isText(spec: FieldSpec | undefined): boolean {
  return spec !== undefined && spec.type === 'string' && !spec.relation
}
