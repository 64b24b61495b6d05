import { withStop } from '../../../words/sentences.ts'
import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import type { Part } from './answer.ts'
import { findingLists, neededNouns } from './needed.ts'
import { callWords } from './signature.ts'
import { TYPE_KEY } from './type-word.ts'

/** What one page about plain words may take, and each of several in one answer. */
const MAX_PAGE_BYTES = 4096
const MAX_PAGE_BYTES_OF_SEVERAL = 2400
/** The share of it that the operation that fits best may take. */
const BEST_SHARE = 0.8
/** Other operations that may have been meant. */
const OTHERS = 3

/** What a page is made from. */
export interface PageSources {
  operations: readonly OperationDeclaration[]
  findNoun(name: string): Noun | undefined
  resource(noun: Noun): Part
  operation(operation: OperationDeclaration, options?: { withoutFields?: boolean }): Part
  /** What programs can do that belongs to the question. */
  paragraphs: readonly Part[]
  /** How many pages are asked for in one answer. */
  pages: number
}

/**
 * What words ask for, in one page: the operation that fits best with the fields of its resource, how to find what it needs, the
 * other operations that fit, and the fields of what is needed, as far as there is room.
 */
export function page(found: readonly OperationDeclaration[], sources: PageSources): Part[] {
  const [best, ...others] = found
  if (!best) return []
  const needed = neededNouns(best, sources.findNoun)
  const most = roomFor(sources)
  const mostOfBest = Math.floor(most * BEST_SHARE)
  const parts: Part[] = [...bestParts(best, sources, mostOfBest)]
  const said = new Set([best])
  const lists = needed.flatMap((noun) => findingLists(noun, sources.operations, sources.findNoun))
  for (const list of new Set(lists)) if (!said.has(list)) parts.push(findPart(list, said))
  const different = others.filter((other) => !said.has(other) && !isPlainRead(other, best))
  parts.push(...different.slice(0, OTHERS).map(otherPart))
  const room = new Room(most)
  const kept = parts.flatMap((part, index) => room.take(part, index === 0 ? mostOfBest : Number.POSITIVE_INFINITY))
  for (const noun of needed) kept.push(...room.take(sources.resource(noun)))
  return [...kept, ...sources.paragraphs]
}

function roomFor({ paragraphs, pages }: PageSources): number {
  const most = pages > 1 ? MAX_PAGE_BYTES_OF_SEVERAL : MAX_PAGE_BYTES
  return paragraphs.reduce((left, { text }) => left - bytes(text) - 1, most - bytes(TYPE_KEY) - 1)
}

function bestParts(best: OperationDeclaration, sources: PageSources, most: number): Part[] {
  const resource = sources.resource(best.noun)
  const short = sources.operation(best, { withoutFields: true })
  if (bytes(resource.text) + bytes(short.text) <= most) return [short, resource]
  return [sources.operation(best)]
}

function findPart(list: OperationDeclaration, said: Set<OperationDeclaration>): Part {
  said.add(list)
  return { key: `finding ${list.id}`, text: `Find ${list.noun.name}: ${callWords(list)}` }
}

/** Whoever finds an operation finds how to show and list its resource. */
function isPlainRead({ kind, noun }: OperationDeclaration, best: OperationDeclaration): boolean {
  return noun === best.noun && (kind === 'retrieve' || kind === 'list')
}

function otherPart(operation: OperationDeclaration): Part {
  return { key: `other ${operation.id}`, text: `Or ${callWords(operation)}: ${withStop(operation.summary)}` }
}

/** What is left of a page. A part that does not fit is cut after a line, and says where the rest is. */
class Room {
  #left: number

  constructor(left: number) {
    this.#left = left
  }

  take(part: Part, most = Number.POSITIVE_INFINITY): Part[] {
    const text = fitted(part, Math.min(this.#left, most) - 1)
    this.#left -= bytes(text) + 1
    return text === '' ? [] : [{ ...part, text }]
  }
}

/** Lines below which a part is not worth its place. */
const FEWEST_LINES = 3

function fitted({ key, text }: Part, room: number): string {
  if (bytes(text) <= room) return text
  const more = `… more: describe(${JSON.stringify(key)})`
  const lines = text.split('\n')
  while (lines.length > 0 && bytes(lines.join('\n')) + bytes(more) + 1 > room) lines.pop()
  return lines.length < FEWEST_LINES ? '' : [...lines, more].join('\n')
}

function bytes(text: string): number {
  return Buffer.byteLength(text)
}
