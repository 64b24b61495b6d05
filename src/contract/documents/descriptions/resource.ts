import { withStop } from '../../../format/sentences.ts'
import type { Field } from '../../declarations/field.ts'
import type { Noun } from '../../declarations/noun.ts'
import type { OperationDeclaration } from '../../declarations/operation.ts'
import { didYouMean } from '../../values/nearest.ts'
import { expandableNames } from '../describe.ts'
import { type FindNoun, valueSchema } from '../schemas.ts'
import { IN_SHORT, type TextPart } from './answer.ts'
import { fieldLine, fieldWord, type LineOptions, propertyLines } from './field-line.ts'

const COMMON_FIELDS = ['id', 'object', 'created_at', 'updated_at', 'allowed_actions']

/** Returns all facts about a resource except its operations. */
export function resourceText(noun: Noun, operations: readonly OperationDeclaration[], findNoun: FindNoun): string {
  return [heading(noun, operations), ...groupedFields(noun, operations, findNoun), states(noun), events(noun)]
    .filter(Boolean)
    .join('\n')
}

/** Returns what a resource is, and its fields with their types and defaults, in one paragraph. */
export function outlinePart(noun: Noun): TextPart {
  const { name, prefix, slug, description } = noun
  const id = prefix ? ` (id ${prefix}_…${slug ? ' or slug' : ''})` : ''
  const fields = Object.entries(noun.fields)
    .filter(
      ([field, { spec }]) => (!COMMON_FIELDS.includes(field) || field === 'allowed_actions') && spec.use !== 'input',
    )
    .map(([field, one]) => fieldWord(field, one, { showsDefault: true }))
  const text = `## ${name}${id}: ${withStop(description)} Fields: ${fields.join(', ')}`
  return { key: `${name}${IN_SHORT}`, text, needsKey: true }
}

/** Describes one field of a resource, or names the nearest field or event. */
export function fieldPart({ name, fields, events }: Noun, field: string, declared: Field | undefined): TextPart {
  const key = `${name}.${field}`
  if (declared) {
    const text = fieldLine(field, declared, { marksRequired: true, showsDefault: true })
    return { key, text: `${name}.${text}`, needsKey: true }
  }
  const known = [...Object.keys(fields), ...events].map((one) => `${name}.${one}`)
  return { key, text: `No field or event is "${key}"${didYouMean(key, known)}. All: describe("${name}").` }
}

function heading(noun: Noun, operations: readonly OperationDeclaration[]): string {
  const { name, prefix, slug, listOrder, description, immutable } = noun
  const listed = operations.some((operation) => operation.noun === noun && operation.answersList)
  const facts = [
    prefix && `id ${prefix}_…${slug ? ' or slug' : ''}`,
    prefix && immutable && 'no updated_at',
    prefix === null && 'created_at' in noun.fields && 'created_at',
    listed && listOrder && listOrder !== 'newest first' && listOrder,
  ].filter(Boolean)
  return `## ${name}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}: ${withStop(description)}`
}

const GROUPS = ['Create, update:', 'Create only:', 'Update only:', 'Read-only:']
const [ALWAYS, ON_CREATE, ON_UPDATE, NEVER] = [0, 1, 2, 3]

function groupedFields(noun: Noun, operations: readonly OperationDeclaration[], findNoun: FindNoun): string[] {
  const modes = new Set(operations.filter((operation) => operation.noun === noun).map(({ kind }) => kind))
  const expand = expandableNames(noun, findNoun)
  const described = new Map<string, string>()
  const lines = Object.entries(noun.fields)
    .filter(([name]) => !COMMON_FIELDS.includes(name))
    .map(([name, field]) => {
      const group = groupOf(field, modes)
      const expandsInside = expand.filter((one) => one.startsWith(`${name}.`))
      const line = lineOf(name, field, group, { expandsInside, sameAs: (property) => described.get(property) })
      remember(described, name, field)
      return { group, line }
    })
  const byGroup = Map.groupBy(lines, ({ group }) => group)
  return GROUPS.flatMap((title, group) => {
    const own = byGroup.get(group)
    return own ? [title, ...own.map(({ line }) => line)] : []
  })
}

function remember(described: Map<string, string>, name: string, field: Field): void {
  if (field.spec.relation) return
  for (const property of propertyLines(valueSchema(field))) if (!described.has(property)) described.set(property, name)
}

function groupOf({ spec: { write } }: Field, modes: ReadonlySet<string>): number {
  const created = modes.has('create') && (write === 'always' || write === 'create')
  const updated = modes.has('update') && (write === 'always' || write === 'update')
  if (created) return updated ? ALWAYS : ON_CREATE
  return updated ? ON_UPDATE : NEVER
}

function lineOf(name: string, field: Field, group: number, options: LineOptions): string {
  if (name === 'metadata') return name
  const creates = group === ALWAYS || group === ON_CREATE
  const line = fieldLine(name, field, { ...options, marksRequired: creates, showsDefault: creates })
  return field.spec.use === 'input' && group !== NEVER ? `${line} (not shown)` : line
}

/** Returns the allowed actions by state: `active, trialing: cancel pause; canceled: none`. */
function states({ states: table }: Noun): string {
  if (!table) return ''
  const byActions = Map.groupBy(Object.entries(table), ([, actions]) => actions.join(' ') || 'none')
  const said = [...byActions].map(([actions, entries]) => `${entries.map(([state]) => state).join(', ')}: ${actions}`)
  return `allowed_actions by status: ${said.join('; ')}`
}

/** Returns the events, with descriptions of unclear names: `Events order.: created, paid (An order was paid …)`. */
function events(noun: Noun): string {
  if (noun.eventsStayInside || noun.events.length === 0) return ''
  const types = noun.events.map((event) => {
    const said = noun.eventDescriptions[event]
    return `${event}${said ? ` (${said.replace(/\.$/, '')})` : ''}`
  })
  const whole = noun.eventExpand.length > 0 ? ` (${noun.eventExpand.join(', ')} expanded for webhooks)` : ''
  return `Events ${noun.eventsNamed}.${whole}: ${types.join(', ')}`
}
