import { expandableNames } from './describe.ts'
import type { Field, Relation } from './field.ts'
import { asJson, type Json, type JsonSchema } from './json.ts'
import { aOrAn, eventType, inputName, inWords, type Noun } from './noun.ts'
import type { OperationDeclaration } from './operation.ts'
import { type FindNoun, valueSchema } from './schemas.ts'

/** What holds for every field that does not say otherwise, said in each resource because each is looked up alone. */
const DEFAULTS =
  'A field is never null unless it has `null`, and read-only unless it has `writable`. date-time is UTC, in whole seconds.'

/** What `resources` shows: each resource that an operation answers or refers to, by name. */
export function resourceDocs(
  operations: readonly OperationDeclaration[],
  findNoun: FindNoun,
): { [name: string]: { [key: string]: Json } } {
  const nouns = shownNouns(operations, findNoun)
  return Object.fromEntries(nouns.map((noun) => [noun.name, docsOf(noun, operations, findNoun)]))
}

function shownNouns(operations: readonly OperationDeclaration[], findNoun: FindNoun): Noun[] {
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
    ...(noun.slug && { slug: 'works wherever the id does' }),
    ...(own.some((operation) => operation.answersList) && { list_order: noun.listOrder }),
    ...(noun.states && { states: asJson(noun.states) }),
    ...(actions.length > 0 && { actions }),
    events: noun.events.map((event) => eventType(noun, event)),
    ...(expand.length > 0 && { expand }),
    defaults: DEFAULTS,
    fields: asJson(fieldsOf(noun, findNoun)),
  }
}

function fieldsOf(noun: Noun, findNoun: FindNoun): Record<string, JsonSchema> {
  const fields = Object.entries(noun.fields)
  const shown = fields.filter(([, field]) => field.spec.use !== 'input')
  const docs = Object.fromEntries(shown.map(([name, field]) => [name, fieldDocs(name, field, findNoun)]))
  for (const [name, field] of fields.filter(([, { spec }]) => spec.use === 'input')) {
    const written = inputName(name, field)
    const inputDocs = fieldDocs(written, field, findNoun)
    docs[written] = docs[written] ? { ...docs[written], written: inputDocs } : { ...inputDocs, shown: false }
  }
  return docs
}

const WRITABLE = { always: 'create, update', create: 'create', update: 'update' }

function fieldDocs(name: string, field: Field, findNoun: FindNoun): JsonSchema {
  const { type, unit, description, nullable, nullMeans, fallback, relation, write } = field.spec
  const { enum: values, format } = valueSchema(field)
  const input = inputName(name, field)
  return {
    type,
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
    description,
    ...(values !== undefined && { values }),
    ...(nullable && { null: nullMeans ?? '' }),
    ...(relation && held(relation, findNoun)),
    ...(write !== 'never' && { writable: WRITABLE[write] }),
    ...(input !== name && { written_as: input }),
    ...(fallback !== undefined && { default: fallback }),
  }
}

/** What a reference holds as it is, and what `expand` puts in its place. */
function held({ noun, kind, collapsedTo, expandable, onlyExpanded }: Relation, findNoun: FindNoun): JsonSchema {
  const target = findNoun(noun)
  if (!target) return {}
  const several = inWords(target.plural)
  const key: string = collapsedTo ?? 'id'
  if (kind === 'collection')
    return onlyExpanded ? { collapsed: 'left out', expanded: `whole ${several}` } : { holds: `whole ${several}` }
  const [collapsed, expanded] =
    kind === 'one'
      ? [`${key} of ${aOrAn(noun)}`, `the whole ${inWords(noun)}`]
      : [`${key}s of ${several}`, `whole ${several}`]
  return expandable ? { collapsed, expanded } : { holds: collapsed }
}
