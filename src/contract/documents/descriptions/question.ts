import { withStop } from '../../../format/sentences.ts'
import type { FieldSpec } from '../../declarations/field.ts'
import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import type { FindNoun } from '../schemas.ts'
import type { TextPart } from './answer.ts'
import { callWords } from './signature.ts'
import { KEY_BYTES } from './type-word.ts'

/** The maximum sizes in bytes of a page about a question in plain words: as the only page of a response, and as one of several. */
const MAX_PAGE_BYTES = 4096
const MAX_PAGE_BYTES_OF_SEVERAL = 2400
/** The maximum size in bytes of the recipes on a page, and of its paragraphs. */
const MAX_RECIPE_BYTES = 1900
const MAX_PARAGRAPH_BYTES = 1800
const BEST_SHARE = 0.8
/** The number of alternatives that are shown with their parameters. */
const MAX_SIGNATURES = 1
/** The number of alternatives on one of several pages. */
const MAX_OTHERS_OF_SEVERAL = 3

export interface PageSources {
  operations: readonly OperationDeclaration[]
  findNoun(name: string): Noun | undefined
  resource(noun: Noun): TextPart
  operation(operation: OperationDeclaration, options?: { withoutFields?: boolean }): TextPart
  paragraphs: readonly TextPart[]
  /** Recipes that match the question, best first. */
  recipes: readonly TextPart[]
  pages: number
  /** The number of leading operations that each match a part of the question best. */
  bests: number
}

/**
 * Returns a page about a question in plain words. If there is room, the page also shows the lists that find the needed ids, alternative
 * operations, and the fields of the needed resources.
 */
export function page(found: readonly OperationDeclaration[], given: PageSources): TextPart[] {
  const [best, ...others] = found
  if (!best) return []
  const sources = {
    ...given,
    recipes: withinBytes(given.recipes, MAX_RECIPE_BYTES),
    paragraphs: withinBytes(given.paragraphs, MAX_PARAGRAPH_BYTES),
  }
  if (sources.bests > 1) return taskPage(found, sources)
  const needed = neededNouns(best, sources.findNoun)
  const ways: TextPart[] = []
  const said = new Set([best])
  const lists = needed.flatMap((noun) => findingLists(noun, sources.operations, sources.findNoun))
  for (const list of new Set(lists)) if (!said.has(list)) ways.push(findPart(list, said))
  const different = alternatives(
    others.filter((other) => !said.has(other) && !isPlainRead(other, best)),
    sources,
  )
  ways.push(...different.map((other, index) => (index < MAX_SIGNATURES ? otherPart(other) : namePart(other))))
  const most = roomFor(sources)
  const left = most - ways.reduce((sum, { text }) => sum + bytes(text) + 1, 0)
  const room = new PageBudget(most)
  const kept = room.takeAll(bestParts(best, sources, left), Math.max(left, Math.floor(most * BEST_SHARE)))
  kept.push(
    ...room.takeAll(ways),
    ...room.takeAll(sources.recipes.length > 0 ? [] : needed.map((noun) => sources.resource(noun))),
  )
  return [...sources.recipes, ...kept, ...sources.paragraphs]
}

/** Returns a page about a task of several parts: the best operation for each part, in full if it fits and otherwise in one line. */
function taskPage(found: readonly OperationDeclaration[], sources: PageSources): TextPart[] {
  const bests = found.slice(0, sources.bests)
  const each = bests.map((operation) => ({ line: otherPart(operation), whole: sources.operation(operation) }))
  const room = new PageBudget(roomFor(sources))
  let reserved = each.reduce((sum, { line }) => sum + bytes(line.text) + 1, 0)
  const kept = each.flatMap(({ line, whole }) => {
    reserved -= bytes(line.text) + 1
    return room.takeAll([bytes(whole.text) + 1 <= room.left - reserved ? whole : line])
  })
  const nouns = new Set(bests.map(({ noun }) => noun))
  const others = found.slice(sources.bests).filter(({ noun, kind }) => kind === 'create' || !nouns.has(noun))
  kept.push(...room.takeAll(alternatives(others, sources).map(namePart)))
  return [...sources.recipes, ...kept, ...sources.paragraphs]
}

function alternatives(
  others: readonly OperationDeclaration[],
  { pages }: PageSources,
): readonly OperationDeclaration[] {
  return pages > 1 ? others.slice(0, MAX_OTHERS_OF_SEVERAL) : others
}

function withinBytes(parts: readonly TextPart[], most: number): TextPart[] {
  let left = most
  return parts.filter(({ text }) => {
    const fits = bytes(text) <= left
    if (fits) left -= bytes(text)
    return fits
  })
}

function roomFor({ recipes, paragraphs, pages }: PageSources): number {
  const most = pages > 1 ? MAX_PAGE_BYTES_OF_SEVERAL : MAX_PAGE_BYTES
  return [...recipes, ...paragraphs].reduce((left, { text }) => left - bytes(text) - 1, most - KEY_BYTES)
}

function bestParts(best: OperationDeclaration, sources: PageSources, most: number): TextPart[] {
  const resource = sources.resource(best.noun)
  const short = sources.operation(best, { withoutFields: true })
  if (sources.recipes.length === 0 && bytes(resource.text) + bytes(short.text) <= most) return [short, resource]
  return [sources.operation(best)]
}

function findPart(list: OperationDeclaration, said: Set<OperationDeclaration>): TextPart {
  said.add(list)
  return { key: `Find ${list.id}`, text: `Find ${list.noun.name}: ${callWords(list)}` }
}

/** Whether an operation retrieves the best operation's resource, which is too obvious an alternative. */
function isPlainRead({ kind, noun }: OperationDeclaration, best: OperationDeclaration): boolean {
  return noun === best.noun && kind === 'retrieve'
}

function otherPart(operation: OperationDeclaration): TextPart {
  return { key: `Or ${operation.id}`, text: `Or ${callWords(operation)}: ${withStop(operation.summary)}` }
}

function namePart({ id, method, path, summary }: OperationDeclaration): TextPart {
  return { key: `Or ${id}`, text: `Or ${method} ${path}: ${withStop(summary)}` }
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
