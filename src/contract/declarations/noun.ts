import { z } from 'zod'
import { idPattern } from '../values/ids.ts'
import { Field, type Fields, type FieldUse, type Meaning, type Written } from './field.ts'
import { timestamp } from './kinds.ts'

/** States and the actions that each state permits: `{ active: ['pause', 'cancel'], canceled: [] }`. */
export type StateTable = Record<string, readonly string[]>

/** What every noun declares, stored or not. */
interface Described<F extends Fields> {
  /** The group of its operations in the catalogue. */
  group: string
  description: string
  /** Its meaning in a few words, for the map of all resources, where the beginning of its description is too long. */
  gist?: string
  fields: F
  /** Values of its example in the documents where those of the fields would contradict each other. */
  example?: { readonly [Key in keyof F]?: unknown }
}

/** What is known of a noun besides its fields: where its paths begin, and what its states permit. */
export interface Traits<
  Plural extends string = string,
  Slug extends boolean = boolean,
  Immutable extends boolean = boolean,
  Action extends string = string,
  Stored extends boolean = boolean,
> {
  plural: Plural
  slug: Slug
  immutable: Immutable
  /** What its states name; never where it has none. */
  action: Action
  /** It has an id and times of its own. */
  stored: Stored
}

export interface NounDeclaration<
  F extends Fields,
  H extends Fields,
  E extends readonly string[],
  Plural extends string = string,
  Slug extends boolean = boolean,
  Immutable extends boolean = boolean,
  States extends StateTable = StateTable,
> extends Described<F> {
  /** Without the underscore: `prod`. */
  prefix: string
  /** In paths and as the table's name; the name with an `s` when absent. */
  plural?: Plural
  /** Addressable by slug wherever an id is. */
  slug?: Slug
  /** Has no `updated_at`. */
  immutable?: Immutable
  /** Fields whose words a list's `query` looks through, kept in lower case in the column `search_text`. */
  searchable?: readonly (keyof F & string)[]
  /** Fields whose words find it in the search over everything. The first that has a value is its title there, the next its detail. */
  foundBy?: readonly (keyof F & string)[]
  /** Columns that no answer shows and no body names. Rules set them; one without a default is set by every insert. */
  hidden?: H
  states?: States
  /** Event types without the resource's name: `created`. One with a dot is complete as it is: `lead.created`. */
  events?: E
  /** What its events are named after, where that is not the noun: `ai_task` for `ai_task.created`. */
  eventsNamed?: string
  /** What its events are, in a sentence, where that does not follow from their names. */
  eventDescriptions?: { readonly [Key in NoInfer<E>[number]]?: string }
  /** References and collections that deliveries of its events hold in full: `['customer', 'line_items']`. */
  eventExpand?: readonly (keyof F & string)[]
  /** Fields that its events, and plans, leave out: what gives whoever sees it a right. */
  notInEvents?: readonly (keyof F & string)[]
  /** Its events show in plans what changes; no webhook endpoint can subscribe to them. */
  eventsStayInside?: boolean
  /** The order of its lists, in words, where they are not newest first. */
  listOrder?: string
}

/** What the shop has: its name, its fields, its states. Everything that shows or stores a resource is derived from it. */
export interface Noun<
  Name extends string = string,
  F extends Fields = Fields,
  H extends Fields = Fields,
  E extends readonly string[] = readonly string[],
  T extends Traits = Traits,
> {
  name: Name
  plural: string
  /** Null for a noun that only answers show. */
  prefix: string | null
  group: string
  description: string
  gist: string | null
  slug: boolean
  immutable: boolean
  searchable: readonly string[]
  foundBy: readonly string[]
  /** The declared fields with `id`, `object`, `created_at` and `updated_at`, in the order of answers. */
  fields: F & Fields
  hidden: Fields
  states: StateTable | null
  events: E
  eventsNamed: string
  eventDescriptions: Readonly<Record<string, string>>
  eventExpand: readonly string[]
  eventsStayInside: boolean
  notInEvents: readonly string[]
  listOrder: string
  example: Readonly<Record<string, unknown>>
  isId(value: string): boolean
  /** Types only. */
  readonly declared?: { fields: F; hidden: H; traits: T }
}

const NEWEST_FIRST_IN_WORDS = 'newest first'

/** Declares a resource that is stored: it has an id, a table and its times. */
export function noun<
  const Name extends string,
  F extends Fields,
  H extends Fields = Record<never, Field>,
  const E extends readonly string[] = [],
  const Plural extends string = `${Name}s`,
  const Slug extends boolean = false,
  const Immutable extends boolean = false,
  const States extends StateTable = Record<never, never>,
>(
  name: Name,
  declaration: NounDeclaration<F, H, E, Plural, Slug, Immutable, States>,
): Noun<Name, F, H, E, Traits<Plural, Slug, Immutable, States[keyof States][number], true>> & { prefix: string } {
  const { prefix, immutable = false, states = null } = declaration
  const pattern = idPattern(prefix)
  return {
    name,
    plural: declaration.plural ?? `${name}s`,
    prefix,
    group: declaration.group,
    description: declaration.description,
    gist: declaration.gist ?? null,
    slug: declaration.slug ?? false,
    immutable,
    searchable: declaration.searchable ?? [],
    foundBy: declaration.foundBy ?? [],
    fields: {
      id: idField(prefix),
      object: objectField(name),
      ...declaration.fields,
      ...(states && { allowed_actions: allowedActions() }),
      created_at: timestamp('When it was created').readOnly(),
      ...(!immutable && { updated_at: timestamp('When it last changed').readOnly() }),
    },
    hidden: declaration.hidden ?? {},
    states,
    events: declaration.events ?? ([] as readonly string[] as E),
    eventsNamed: declaration.eventsNamed ?? name,
    eventDescriptions: (declaration.eventDescriptions ?? {}) as Record<string, string>,
    eventExpand: declaration.eventExpand ?? [],
    eventsStayInside: declaration.eventsStayInside ?? false,
    notInEvents: declaration.notInEvents ?? [],
    listOrder: declaration.listOrder ?? NEWEST_FIRST_IN_WORDS,
    example: declaration.example ?? {},
    isId: (value) => pattern.test(value),
  }
}

/** A noun that only answers show; without `object` when the contract names its fields exactly. */
interface AnswerDeclaration<F extends Fields> extends Described<F> {
  withoutObject?: boolean
  /** The order of the rows where a list shows them. */
  listOrder?: string
}

/** Declares what a custom operation answers: fields with meanings, without an id, a table or times of its own. */
export function answerNoun<const Name extends string, F extends Fields>(
  name: Name,
  { group, description, gist, fields, example = {}, withoutObject = false, listOrder = '' }: AnswerDeclaration<F>,
): Noun<Name, F, Record<never, Field>, [], Traits<`${Name}s`, false, true, never, false>> {
  return {
    name,
    plural: `${name}s`,
    prefix: null,
    group,
    description,
    gist: gist ?? null,
    slug: false,
    immutable: true,
    searchable: [],
    foundBy: [],
    fields: { ...(!withoutObject && { object: objectField(name) }), ...fields },
    hidden: {},
    states: null,
    events: [],
    eventsNamed: name,
    eventDescriptions: {},
    eventExpand: [],
    eventsStayInside: false,
    notInEvents: [],
    listOrder,
    example,
    isId: () => false,
  }
}

/** `created` of a product is `product.created`; a name with a dot is complete as it is. */
export function eventType(noun: Pick<Noun, 'eventsNamed'>, event: string): string {
  return event.includes('.') ? event : `${noun.eventsNamed}.${event}`
}

/** The field's documented name in request bodies. */
export function inputName(name: string, field: Field): string {
  return field.spec.input ?? name
}

function idField(prefix: string): Field {
  return readOnly(
    'string',
    z.string().regex(idPattern(prefix)),
    `Starts with ${prefix}_; sorts by time of creation`,
    exampleId(prefix),
  )
}

function objectField(name: string): Field {
  return new Field({ ...readOnly('string', z.literal(name), `Always ${name}`, name).spec, use: 'derived' })
}

function allowedActions(): Field {
  const schema = z.array(z.string())
  return new Field({ ...readOnly('array', schema, 'Actions allowed in its current state', []).spec, use: 'derived' })
}

function readOnly(type: 'string' | 'array', schema: z.ZodType, description: string, example: unknown): Field {
  return new Field({
    type,
    schema,
    description,
    example,
    nullable: false,
    required: false,
    write: 'never',
    use: 'stored',
  })
}

/** An id of the right form, the same in every document. */
export function exampleId(prefix: string): string {
  return `${prefix}_01k9z6v8q2f3x7c5m1n4b0r8ta`
}

/** The fields that a noun declares. */
export type DeclaredOf<N> = N extends Noun<string, infer F, Fields, readonly string[]> ? F : never
type HiddenOf<N> = N extends Noun<string, Fields, infer H, readonly string[]> ? H : never
/** What is known of a noun besides its fields. */
export type TraitsOf<N> = N extends Noun<string, Fields, Fields, readonly string[], infer T> ? T : never
export type UseOf<F> = F extends Field<unknown, boolean, infer Use> ? Use : FieldUse
/** What a field's values mean, such as which noun they lead to. */
export type MeaningOf<F> = F extends Field<unknown, boolean, FieldUse, infer Means> ? Means : Meaning
type WriteOf<F> = F extends Field<unknown, boolean, FieldUse, Meaning, infer Write> ? Write : Written
export type Value<F> = F extends Field<infer V, boolean, FieldUse> ? V : never

/** A stored row, decoded: booleans are booleans, JSON columns are values, hidden columns are there. */
export type Row<N> = { id: string; account_id: string; created_at: string; updated_at: string } & {
  [Key in keyof DeclaredOf<N> as UseOf<DeclaredOf<N>[Key]> extends 'derived' ? never : Key]: Value<DeclaredOf<N>[Key]>
} & { [Key in keyof HiddenOf<N>]: Value<HiddenOf<N>[Key]> }

type GivenKeys<F> = {
  [Key in keyof F]: F[Key] extends Field<unknown, infer Given, FieldUse> ? (Given extends true ? Key : never) : never
}[keyof F]

type NullableKeys<F> = { [Key in keyof F]: null extends Value<F[Key]> ? Key : never }[keyof F]

/**
 * What an insert is given: fields that are absent become null, and hidden columns must be there unless they have a default or
 * may be null.
 */
export type NewRow<N> = Partial<Row<N>> & {
  [Key in Exclude<keyof HiddenOf<N>, GivenKeys<HiddenOf<N>> | NullableKeys<HiddenOf<N>>>]: Value<HiddenOf<N>[Key]>
}

/** What a create's rule receives: required fields and those with a default are always there. */
export type CreateInput<N> = { [Key in keyof DeclaredOf<N> & GivenKeys<DeclaredOf<N>>]: Value<DeclaredOf<N>[Key]> } & {
  [Key in Exclude<keyof DeclaredOf<N>, GivenKeys<DeclaredOf<N>>>]?: Value<DeclaredOf<N>[Key]>
}

/** What an update's rule receives: the fields that the body named. */
export type Changes<N> = { [Key in keyof DeclaredOf<N>]?: Value<DeclaredOf<N>[Key]> }

/** What an action's rule receives for its declared body. */
export type InputOf<F extends Fields> = {
  [Key in keyof F as F[Key] extends Field<unknown, true, FieldUse> ? Key : never]: Value<F[Key]>
} & {
  [Key in keyof F as F[Key] extends Field<unknown, true, FieldUse> ? never : Key]?: Value<F[Key]>
}

/** The fields that bodies may name. */
export type Writable<N, Mode extends 'create' | 'update'> = {
  [Key in keyof DeclaredOf<N> as WriteOf<DeclaredOf<N>[Key]> extends 'always' | Mode ? Key : never]: DeclaredOf<N>[Key]
}

/** The events that a noun declares. */
export type EventOf<N> = N extends Noun<string, Fields, Fields, infer E> ? E[number] : never
