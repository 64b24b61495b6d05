import { aOrAn, inWords } from '../../format/names.ts'
import { sentenceCase } from '../../format/sentences.ts'
import { eventType, type Noun } from '../declarations/noun.ts'
import { newId } from '../values/ids.ts'
import { exampleOf, type FindNoun } from './schemas.ts'

export interface EventType {
  name: string
  resource: string
  description: string
}

/** The name that subscribes to all event types, including future ones. */
export const EVERY_EVENT = '*'

export class EventTypes {
  readonly all: readonly EventType[]
  readonly #findNoun: FindNoun
  readonly #byName: Map<string, EventType>

  constructor(nouns: readonly Noun[], findNoun: FindNoun) {
    this.#findNoun = findNoun
    this.all = nouns
      .filter((noun) => !noun.eventsStayInside)
      .flatMap(typesOf)
      .sort((one, other) => (one.name < other.name ? -1 : 1))
    this.#byName = new Map(this.all.map((type) => [type.name, type]))
  }

  get names(): readonly string[] {
    return this.all.map(({ name }) => name)
  }

  get resources(): readonly string[] {
    return [...new Set(this.all.map(({ resource }) => resource))].sort()
  }

  find(name: string): EventType | undefined {
    return this.#byName.get(name)
  }

  /** Returns the documented example data of an event, with a new id. */
  sampleData({ name, resource }: EventType): Record<string, unknown> & { id: string } {
    const noun = this.#findNoun(resource)!
    const id = newId(noun.prefix!)
    if (name.endsWith('.deleted')) return { id, object: noun.name, deleted: true }
    const data: Record<string, unknown> = { ...exampleOf(noun, this.#findNoun), id }
    for (const field of noun.eventExpand) data[field] = this.#expandedExample(noun, field)
    return { ...withoutLeftOut(noun, data), id }
  }

  #expandedExample(noun: Noun, field: string): unknown {
    const relation = noun.fields[field]!.spec.relation!
    const example = exampleOf(this.#findNoun(relation.noun)!, this.#findNoun)
    return relation.kind === 'one' ? example : [example]
  }
}

/** Removes the fields that events never contain. Returns the same object if there is nothing to remove. */
export function withoutLeftOut<Shown extends object>(noun: Noun, shown: Shown): Shown {
  const names = noun.notInEvents
  if (names.length === 0) return shown
  return Object.fromEntries(Object.entries(shown).filter(([name]) => !names.includes(name))) as Shown
}

function typesOf(noun: Noun): EventType[] {
  return noun.events.map((event) => ({
    name: eventType(noun, event),
    resource: noun.name,
    description: eventDescription(noun, event),
  }))
}

/** Returns the description of an event, such as `A product was created.` */
export function eventDescription(noun: Noun, event: string): string {
  return noun.eventDescriptions[event] ?? `${sentenceCase(aOrAn(noun.name))} ${phraseOf(event)}.`
}

const PHRASES: Record<string, string> = {
  updated: 'was changed',
  expired: 'expired',
  failed: 'failed',
  partially_failed: 'failed in part',
  past_due: 'became past due',
  ready: 'became ready',
  live: 'went live',
  needs_input: 'needs input',
}

function phraseOf(event: string): string {
  return PHRASES[event] ?? `was ${inWords(event)}`
}
