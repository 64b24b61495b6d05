import { aOrAn, inWords } from '../../format/names.ts'
import type { Field, Relation } from '../declarations/field.ts'
import { eventType, inputName, type Noun } from '../declarations/noun.ts'
import type { OperationDeclaration, OperationKind } from '../declarations/operation.ts'
import { asJson, type Json, type JsonSchema } from '../values/json.ts'
import { expandableNames } from './describe.ts'
import { type FindNoun, valueSchema } from './schemas.ts'

/** The rules for fields that state no other. Each resource repeats them, because readers look up one resource at a time. */
const DEFAULTS =
  'A field can be null only if it has `null`, and is read-only unless it has `writable`. date-time is UTC, in whole seconds.'

/** Returns what `resources` returns in Ruby programs: the documentation of each resource by name. */
export function resourceDocs(
  operations: readonly OperationDeclaration[],
  findNoun: FindNoun,
): { [name: string]: { [key: string]: Json } } {
  const nouns = shownNouns(operations, findNoun)
  return Object.fromEntries(nouns.map((noun) => [noun.name, docsOf(noun, operations, findNoun)]))
}

/** Returns the nouns that the operations return or refer to. */
export function shownNouns(operations: readonly OperationDeclaration[], findNoun: FindNoun): Noun[] {
  const found = new Set(operations.map((operation) => operation.noun))
  for (const noun of found) {
    for (const { spec } of Object.values(noun.fields)) {
      const target = spec.relation && findNoun(spec.relation.noun)
      if (target) found.add(target)
    }
  }
  return [...found]
}

function docsOf(noun: Noun, operations: readonly OperationDeclaration[], findNoun: FindNoun): { [key: string]: Json } {
  const own = operations.filter((operation) => operation.noun === noun)
  const actions = own.filter(({ kind }) => kind === 'action').map(({ method, path }) => `${method} ${path}`)
  const expand = expandableNames(noun, findNoun)
  return {
    description: noun.description,
    ...(noun.prefix && { id_prefix: noun.prefix }),
    ...(noun.slug && { slug: 'usable in place of the id' }),
    ...(own.some((operation) => operation.answersList) && { list_order: noun.listOrder }),
    ...(noun.states && { states: asJson(noun.states) }),
    ...(actions.length > 0 && { actions }),
    events: noun.eventsStayInside ? [] : noun.events.map((event) => eventType(noun, event)),
    ...(expand.length > 0 && { expand }),
    defaults: DEFAULTS,
    fields: asJson(fieldsOf(noun, { modes: new Set(own.map(({ kind }) => kind)), findNoun })),
  }
}

interface FieldContext {
  modes: ReadonlySet<OperationKind>
  findNoun: FindNoun
}

function fieldsOf(noun: Noun, surroundings: FieldContext): Record<string, JsonSchema> {
  const docs: Record<string, JsonSchema> = {}
  const fields = Object.entries(noun.fields)
  for (const [name, field] of fields.filter(([, { spec }]) => spec.use !== 'input'))
    docs[name] = fieldDocs(name, field, surroundings)
  for (const [name, field] of fields.filter(([, { spec }]) => spec.use === 'input')) {
    const input = inputName(name, field)
    const written = fieldDocs(input, field, surroundings)
    docs[input] = docs[input] ? { ...docs[input], written } : { ...written, shown: false }
  }
  return docs
}

function fieldDocs(name: string, field: Field, { modes, findNoun }: FieldContext): JsonSchema {
  const { type, unit, description, nullable, nullMeans, relation } = field.spec
  const schema = valueSchema(field)
  const { enum: values, format } = schema
  const properties = relation ? {} : propertyDocs(schema)
  return {
    type,
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
    description,
    ...(values !== undefined && { values }),
    ...(nullable && { null: nullMeans ?? 'none' }),
    ...(relation && referenceValues(relation, findNoun)),
    ...(Object.keys(properties).length > 0 && { properties }),
    ...writability(name, field, modes),
  }
}

function propertyDocs(schema: JsonSchema): { [name: string]: string } {
  return Object.fromEntries(
    Object.entries(objectIn(schema).properties).flatMap(([name, { description }]) =>
      typeof description === 'string' ? [[name, description]] : [],
    ),
  )
}

/** Returns the properties of an object, of an array's entries or of a record's values, and the names of the required ones. */
export function objectIn({ properties, required, items, additionalProperties }: JsonSchema): {
  properties: Record<string, JsonSchema>
  required: readonly unknown[]
} {
  const inner = [items, additionalProperties].find((schema) => schema !== null && typeof schema === 'object')
  if (!properties) return inner ? objectIn(inner as JsonSchema) : { properties: {}, required: [] }
  return { properties: properties as Record<string, JsonSchema>, required: Array.isArray(required) ? required : [] }
}

function writability(name: string, field: Field, modes: ReadonlySet<OperationKind>): JsonSchema {
  const { write, fallback } = field.spec
  const input = inputName(name, field)
  const writers = (['create', 'update'] as const).filter(
    (mode) => modes.has(mode) && (write === 'always' || write === mode),
  )
  if (writers.length === 0) return {}
  return {
    writable: writers.join(', '),
    ...(input !== name && { written_as: input }),
    ...(writers.includes('create') && fallback !== undefined && { default: fallback }),
  }
}

function referenceValues(
  { noun, kind, collapsedTo, expandable, onlyExpanded }: Relation,
  findNoun: FindNoun,
): JsonSchema {
  const target = findNoun(noun)
  if (!target) return {}
  const several = inWords(target.plural)
  const key: string = collapsedTo ?? 'id'
  if (kind === 'collection')
    return onlyExpanded ? { collapsed: 'not included', expanded: `whole ${several}` } : { holds: `whole ${several}` }
  const [collapsed, expanded] =
    kind === 'one'
      ? [`${key} of ${aOrAn(noun)}`, `the whole ${inWords(noun)}`]
      : [`${key}s of ${several}`, `whole ${several}`]
  return expandable ? { collapsed, expanded } : { holds: collapsed }
}
